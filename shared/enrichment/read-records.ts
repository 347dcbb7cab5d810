import type { ObjectType } from '#shared/crm/crm-record.ts';
import { PLAUSIBILITY_PROPERTIES } from '#shared/field-policy/plausibility.ts';
import { IDENTIFYING_PROPERTIES } from '#shared/identity/identifying-properties.ts';
import { textOf } from '#shared/identity/record-identity.ts';
import { readWithCompanies } from './read-with-companies.ts';
import type { EnrichmentServices, Held, HeldRecord } from './services.ts';

export interface ReadRecords {
  readonly found: readonly HeldRecord[];
  /** Deleted, merged away or never there. */
  readonly missing: readonly Held[];
  /** HubSpot would not tell. */
  readonly failed: readonly Held[];
}

/** Reads all records of one object type in one batch, and the companies of contacts in another. */
export async function readRecords(
  services: EnrichmentServices,
  objectType: ObjectType,
  held: readonly Held[],
): Promise<ReadRecords> {
  const { records, failed } = await readWithCompanies(services.crm, {
    objectType,
    ids: held.map(({ id }) => id),
    properties: wanted(services, objectType),
  });
  const definitions = await services.crm.definitions(objectType);
  const found = held.flatMap((each) => {
    const record = records.get(each.id);
    return record ? [heldRecord(each, { record, definitions })] : [];
  });
  const rest = held.filter(({ id }) => !records.has(id));
  return {
    found,
    missing: rest.filter(({ id }) => !failed.has(id)),
    failed: rest.filter(({ id }) => failed.has(id)),
  };
}

/** Whatever brought it here: somebody who asked for it in HubSpot is not kept waiting behind a scan. */
function heldRecord(
  held: Held,
  { record, definitions }: Pick<HeldRecord, 'record' | 'definitions'>,
): HeldRecord {
  const requested = textOf(record, 'enrichment_requested') === 'true';
  const run = requested ? { ...held.run, purpose: 'manual' as const } : held.run;
  return { ...held, run, record, definitions, requested };
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
