import type { Crm, CrmReading, CrmRecord, ObjectType } from '#shared/crm';
import { IDENTIFYING_PROPERTIES, ownDomainOf, textOf } from '#shared/identity';
import type { ClaimedRecord, EnrichmentServices, RecordClaim } from './services.ts';

export interface ReadRecords {
  readonly found: readonly ClaimedRecord[];
  /** Deleted, merged away or never there. */
  readonly missing: readonly RecordClaim[];
  /** HubSpot would not tell. */
  readonly failed: readonly RecordClaim[];
  /** Versions of the properties that were asked for with their history, by record id. */
  readonly history: NonNullable<CrmReading['history']>;
}

/**
 * Reads all records of one object type in one batch, and the companies of contacts in another.
 * @param historyOf properties whose history is read in the same requests.
 */
export async function readRecords(
  { crm, policy }: Pick<EnrichmentServices, 'crm' | 'policy'>,
  objectType: ObjectType,
  held: readonly RecordClaim[],
  historyOf: readonly string[] = [],
): Promise<ReadRecords> {
  const properties = new Set([
    ...IDENTIFYING_PROPERTIES[objectType],
    ...policy.fields[objectType].map(({ property }) => property),
    ...policy.refresh.worth[objectType].map(({ property }) => property),
    'enrichment_requested',
  ]);
  const query = { objectType, ids: held.map(({ id }) => id), properties: [...properties], historyOf };
  const [{ records, failed, history = new Map() }, definitions] = await Promise.all([
    readWithCompanies(crm, query),
    crm.definitions(objectType),
  ]);
  const found = held.flatMap((each): ClaimedRecord[] => {
    const record = records.get(each.id);
    if (!record) return [];
    // Whatever brought it here: somebody who asked for it in HubSpot is not kept waiting behind a scan.
    const requested = textOf(record, 'enrichment_requested') === 'true';
    const isMass = each.run.purpose === 'workflow' || each.run.purpose === 'import';
    const run = requested && !isMass ? { ...each.run, purpose: 'manual' as const } : each.run;
    return [{ ...each, run, record, definitions, requested }];
  });
  const rest = held.filter(({ id }) => !records.has(id));
  return {
    found,
    missing: rest.filter(({ id }) => !failed.has(id)),
    failed: rest.filter(({ id }) => failed.has(id)),
    history,
  };
}

const COMPANY_PROPERTIES = ['domain', 'website', 'hs_additional_domains'];

type CompanyDomains = Pick<CrmRecord, 'companyDomain' | 'companyDomains'>;

/**
 * Reads records, contacts with the domains of the companies that they belong to: these tell where to look, and what
 * would not fit.
 * @param seen records as they were read before: a company that they name is not read once more.
 */
export async function readWithCompanies(
  crm: Pick<Crm, 'read'>,
  query: Parameters<Crm['read']>[0],
  seen: readonly CrmRecord[] = [],
): Promise<CrmReading> {
  const reading = await crm.read(query);
  if (query.objectType !== 'contacts') return reading;
  const domains = new Map(seen.map((record) => [companyIdOf(record), domainsIn(record)]));
  const named = [...reading.records.values()].flatMap((record) => companyIdOf(record) ?? []);
  const ids = [...new Set(named)].filter((id) => !domains.has(id));
  if (ids.length > 0) {
    const companies = await crm.read({ objectType: 'companies', ids, properties: COMPANY_PROPERTIES });
    for (const [id, company] of companies.records) domains.set(id, domainsOfCompany(company));
  }
  const records = [...reading.records].map(([id, record]): [string, CrmRecord] => {
    return [id, { ...record, ...domains.get(companyIdOf(record)) }];
  });
  return { ...reading, records: new Map(records) };
}

function domainsIn({ companyDomain, companyDomains }: CrmRecord): CompanyDomains {
  return companyDomains === undefined ? {} : { companyDomain, companyDomains };
}

function domainsOfCompany(company: CrmRecord): CompanyDomains {
  const additional = textOf(company, 'hs_additional_domains')?.split(';') ?? [];
  const all = [textOf(company, 'domain') ?? '', ...additional];
  return {
    companyDomain: ownDomainOf(company),
    companyDomains: all.filter((domain) => domain !== ''),
  };
}

export function companyIdOf(record: Pick<CrmRecord, 'properties'>): string | undefined {
  return textOf(record, 'associatedcompanyid');
}
