import type { CrmVersion } from '#shared/crm/crm.ts';
import type { ObjectType } from '#shared/crm/crm-record.ts';
import { textOf } from '#shared/identity/record-identity.ts';
import type { EnrichmentServices, HeldRecord } from '../services.ts';
import { isOurs } from '../write-back/fate.ts';
import { historyOf } from '../write-back/recover.ts';

type Services = Pick<EnrichmentServices, 'policy' | 'ownAppId'> & {
  readonly crm: Pick<EnrichmentServices['crm'], 'history'>;
};

/**
 * The records with what somebody has filled and emptied again, by HubSpot's history: a proposal may lie for weeks, and
 * nobody looked at its record meanwhile.
 * @throws UpstreamError `HUBSPOT_*` where HubSpot does not tell.
 */
export async function withEmptied(
  { crm, policy, ownAppId }: Services,
  objectType: ObjectType,
  records: readonly HeldRecord[],
): Promise<HeldRecord[]> {
  const targets = [...new Set(policy.fields[objectType].map(({ property }) => property))];
  const blank = records.flatMap(({ id, record }) => {
    const properties = targets.filter(
      (name) => Object.hasOwn(record.properties, name) && !textOf(record, name),
    );
    return properties.length > 0 ? [{ id, properties }] : [];
  });
  if (blank.length === 0) return [...records];
  const history = await historyOf(crm, objectType, blank);
  return records.map((held) => {
    const emptied = Object.entries(history.get(held.id) ?? {}).flatMap(([property, versions]) =>
      isEmptied(versions, ownAppId) ? [property] : [],
    );
    if (emptied.length === 0) return held;
    return { ...held, state: { ...held.state, filled: [...(held.state.filled ?? []), ...emptied] } };
  });
}

/** @param versions newest first. */
function isEmptied(versions: readonly CrmVersion[], ownAppId: string | undefined): boolean {
  const [newest, ...before] = versions;
  return newest?.value === '' && !isOurs(newest, ownAppId) && before.some(({ value }) => value !== '');
}
