import type { Crm, CrmReading } from '#shared/crm/crm.ts';
import type { CrmRecord } from '#shared/crm/crm-record.ts';
import { companyDomainOf, textOf } from '#shared/identity/record-identity.ts';
import type { HeldRecord } from './services.ts';

type Query = Parameters<Crm['read']>[0];

/**
 * Reads records, contacts with the domains of the companies that they belong to: these tell where to look, and what
 * would not fit.
 * @param seen records as they were read before: a company that they name is not read once more.
 */
export async function readWithCompanies(
  crm: Pick<Crm, 'read'>,
  query: Query,
  seen: readonly CrmRecord[] = [],
): Promise<CrmReading> {
  const reading = await crm.read(query);
  if (query.objectType !== 'contacts') return reading;
  const known = new Map(seen.map((record) => [companyIdOf(record), record.companyDomain]));
  const ids = [...reading.records.values()].flatMap((record) => companyIdOf(record) ?? []);
  const unknown = [...new Set(ids)].filter((id) => !known.has(id));
  const domains = new Map([...known, ...(await domainsOf(crm, unknown))]);
  const withDomain = (record: CrmRecord): CrmRecord => {
    const companyDomain = domains.get(companyIdOf(record));
    return companyDomain === undefined ? record : { ...record, companyDomain };
  };
  return { ...reading, records: new Map([...reading.records].map(([id, one]) => [id, withDomain(one)])) };
}

/** The same of records that were read before. */
export function readAgain(
  crm: Pick<Crm, 'read'>,
  { held, ...query }: Omit<Query, 'ids'> & { readonly held: readonly HeldRecord[] },
): Promise<CrmReading> {
  const seen = held.map(({ record }) => record);
  return readWithCompanies(crm, { ...query, ids: held.map(({ id }) => id) }, seen);
}

export function companyIdOf(record: Pick<CrmRecord, 'properties'>): string | undefined {
  return textOf(record, 'associatedcompanyid');
}

async function domainsOf(
  crm: Pick<Crm, 'read'>,
  ids: readonly string[],
): Promise<Map<string | undefined, string | undefined>> {
  if (ids.length === 0) return new Map();
  const properties = ['domain', 'website'];
  const { records } = await crm.read({ objectType: 'companies', ids, properties });
  return new Map([...records].map(([id, company]) => [id, companyDomainOf(company, properties)]));
}
