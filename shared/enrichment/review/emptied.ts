import type { CrmVersion } from '#shared/crm/crm.ts';
import type { Policy } from '#shared/field-policy/policy.ts';
import { textOf } from '#shared/identity/record-identity.ts';
import type { EnrichmentServices, HeldRecord } from '../services.ts';
import { isOurs } from '../write-back/fate.ts';
import { historyOf } from '../write-back/recover.ts';

type Services = Pick<EnrichmentServices, 'ownAppId'> & {
  readonly crm: Pick<EnrichmentServices['crm'], 'history'>;
};

/**
 * The records with what somebody has filled and emptied again, by HubSpot's history: nobody of ours may have looked at
 * them meanwhile, or not at these properties.
 * @param blanksOf names of properties of a record that are blank, and of which nothing else is known.
 * @throws UpstreamError `HUBSPOT_*` where HubSpot does not tell.
 */
export async function withEmptied(
  { crm, ownAppId }: Services,
  records: readonly HeldRecord[],
  blanksOf: (held: HeldRecord) => readonly string[],
): Promise<HeldRecord[]> {
  const [first] = records;
  if (!first) return [];
  const blank = records.map((held) => ({ id: held.id, properties: blanksOf(held) }));
  const history = await historyOf(crm, first.objectType, blank);
  return records.map((held) => {
    const blanks = new Set(blanksOf(held));
    const emptied = Object.entries(history.get(held.id) ?? {}).flatMap(([property, versions]) =>
      blanks.has(property) && isEmptied(versions, ownAppId) ? [property] : [],
    );
    if (emptied.length === 0) return held;
    return { ...held, state: { ...held.state, filled: [...(held.state.filled ?? []), ...emptied] } };
  });
}

/** What the policy would fill of a record, and we know nothing of. */
export function unknownBlanks({ fields }: Policy, { objectType, record, state }: HeldRecord): string[] {
  const targets = fields[objectType].filter(({ write }) => write !== 'never' && write !== 'always');
  const isKnown = (name: string) =>
    state.filled?.includes(name) === true || Object.hasOwn(state.lastWritten, name);
  const names = targets.flatMap(({ property }) => {
    const isBlank = Object.hasOwn(record.properties, property) && !textOf(record, property);
    return isBlank && !isKnown(property) ? [property] : [];
  });
  return [...new Set(names)];
}

/** @param versions newest first. */
function isEmptied(versions: readonly CrmVersion[], ownAppId: string | undefined): boolean {
  const [newest, ...before] = versions;
  return newest?.value === '' && !isOurs(newest, ownAppId) && before.some(({ value }) => value !== '');
}
