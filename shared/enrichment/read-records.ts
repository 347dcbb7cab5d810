import type { CrmRecord, ObjectType } from '#shared/crm/crm-record.ts';
import { PLAUSIBILITY_PROPERTIES } from '#shared/field-policy/plausibility.ts';
import { IDENTIFYING_PROPERTIES } from '#shared/identity/identifying-properties.ts';
import { companyDomainOf, textOf } from '#shared/identity/record-identity.ts';
import type { EnrichmentServices, Held, HeldRecord } from './services.ts';

export interface ReadRecords {
  readonly found: readonly HeldRecord[];
  /** Deleted, merged away or never there. */
  readonly missing: readonly Held[];
  /** HubSpot would not tell. */
  readonly failed: readonly Held[];
}

/** Reads all records of one object type in one batch, and the companies that contacts may be looked up by in another. */
export async function readRecords(
  services: EnrichmentServices,
  objectType: ObjectType,
  held: readonly Held[],
): Promise<ReadRecords> {
  const { records, failed } = await services.crm.read({
    objectType,
    ids: held.map(({ id }) => id),
    properties: wanted(services, objectType),
  });
  const definitions = await services.crm.definitions(objectType);
  const domains = await associatedDomains(services, [...records.values()]);
  const found = held.flatMap((each) => {
    const record = records.get(each.id);
    return record ? [heldRecord(each, { record, domains, definitions })] : [];
  });
  const rest = held.filter(({ id }) => !records.has(id));
  return {
    found,
    missing: rest.filter(({ id }) => !failed.has(id)),
    failed: rest.filter(({ id }) => failed.has(id)),
  };
}

/** Whatever brought it here: somebody who asked for it in HubSpot is not kept waiting behind a scan. */
interface Read extends Pick<HeldRecord, 'record' | 'definitions'> {
  readonly domains: ReadonlyMap<string, string>;
}

function heldRecord(held: Held, { record, domains, definitions }: Read): HeldRecord {
  const requested = textOf(record, 'enrichment_requested') === 'true';
  const run = requested ? { ...held.run, purpose: 'manual' as const } : held.run;
  const associatedDomain = domains.get(textOf(record, 'associatedcompanyid') ?? '');
  return { ...held, run, record, associatedDomain, definitions, requested };
}

function wanted({ policy }: EnrichmentServices, objectType: ObjectType): string[] {
  const targets = policy.fields[objectType].map(({ property }) => property);
  const properties = [
    ...IDENTIFYING_PROPERTIES[objectType],
    ...PLAUSIBILITY_PROPERTIES[objectType],
    ...targets,
    'enrichment_requested',
  ];
  return [...new Set(properties)];
}

/** Domains of the companies that contacts belong to, by company id: they tell where to look, and what would not fit. */
async function associatedDomains(
  services: EnrichmentServices,
  contacts: readonly CrmRecord[],
): Promise<Map<string, string>> {
  const ids = contacts.flatMap((contact) => textOf(contact, 'associatedcompanyid') ?? []);
  if (ids.length === 0) return new Map();
  const properties = ['domain', 'website'];
  const { records: companies } = await services.crm.read({
    objectType: 'companies',
    ids: [...new Set(ids)],
    properties,
  });
  const entries = [...companies].map(([id, company]) => [id, companyDomainOf(company, properties)] as const);
  return new Map(entries.flatMap(([id, domain]) => (domain ? [[id, domain] as const] : [])));
}
