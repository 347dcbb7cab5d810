import type { CrmRecord, ObjectType } from '#shared/crm';
import type { EnrichmentServices } from './services.ts';

type Values = CrmRecord['properties'];

/** Returns values of some properties. Only properties that the records lack are read. */
export async function withUnread(
  { crm }: Pick<EnrichmentServices, 'crm'>,
  objectType: ObjectType,
  { records, names }: { readonly records: readonly CrmRecord[]; readonly names: readonly string[] },
): Promise<readonly Values[]> {
  const properties = names.filter((name) =>
    records.some((record) => !Object.hasOwn(record.properties, name)),
  );
  if (properties.length === 0) return records.map((record) => record.properties);
  const now = await crm.read({ objectType, ids: records.map(({ id }) => id), properties });
  return records.map(({ id, properties: known }) => ({ ...known, ...now.records.get(id)?.properties }));
}
