import type { CrmReading, CrmVersion } from '#shared/crm/crm.ts';
import type { Policy } from '#shared/field-policy/policy.ts';
import { textOf } from '#shared/identity/record-identity.ts';
import type { RecordState } from '#shared/records/schemas.ts';
import { isAskedFor } from '../memory.ts';
import type { EnrichmentServices, HeldRecord } from '../services.ts';
import type { Draft } from '../write-back/draft.ts';
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
  const names = targets.flatMap(({ property }) => {
    const isBlank = Object.hasOwn(record.properties, property) && !textOf(record, property);
    return isBlank && !isKnown(state, property) ? [property] : [];
  });
  return [...new Set(names)];
}

function isKnown({ filled, lastWritten }: RecordState, name: string): boolean {
  return filled?.includes(name) === true || Object.hasOwn(lastWritten, name);
}

/**
 * The same of what is about to be filled, where anybody has written to the record since it was read: a value may have
 * been typed and taken away while we asked.
 * @returns the very drafts where there is nothing new.
 */
export async function emptiedMeanwhile(
  services: Services,
  drafts: readonly Draft[],
  now: CrmReading,
): Promise<readonly Draft[]> {
  const blanks = new Map(drafts.map((draft) => [draft.held.id, blanksSince(draft, now)]));
  if ([...blanks.values()].every((names) => names.length === 0)) return drafts;
  const held = await withEmptied(
    services,
    drafts.map((draft) => draft.held),
    ({ id }) => blanks.get(id) ?? [],
  );
  return drafts.map((draft, index) => ({ ...draft, held: held[index] ?? draft.held }));
}

function blanksSince({ held, proposals }: Draft, now: CrmReading): string[] {
  const current = now.records.get(held.id);
  const { updatedAtMs } = held.record;
  const isAsRead = updatedAtMs !== undefined && updatedAtMs > 0 && current?.updatedAtMs === updatedAtMs;
  if (current?.id !== held.id || isAsRead || isAskedFor(held)) return [];
  const names = proposals.flatMap(({ property, rule }) =>
    rule.write !== 'always' && !textOf(current, property) ? [property] : [],
  );
  return names.filter((name) => !isKnown(held.state, name));
}

/** @param versions newest first. */
function isEmptied(versions: readonly CrmVersion[], ownAppId: string | undefined): boolean {
  const [newest, ...before] = versions;
  return newest?.value === '' && !isOurs(newest, ownAppId) && before.some(({ value }) => value !== '');
}
