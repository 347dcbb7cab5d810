import type { Crm, CrmHistory, CrmReading, CrmRecord, ObjectType } from '#shared/crm';
import { PLAUSIBILITY_PROPERTIES } from '#shared/field-policy';
import { companyDomainOf, IDENTIFYING_PROPERTIES, textOf } from '#shared/identity';
import type { EnrichmentServices, Held, HeldRecord } from './services.ts';
import { fillable, withEmptied, withEmptiedOf } from './write-back/by-history.ts';
import type { PortalShape } from './write-back/draft.ts';

export interface ReadRecords {
  readonly found: readonly HeldRecord[];
  /** Deleted, merged away or never there. */
  readonly missing: readonly Held[];
  /** HubSpot would not tell. */
  readonly failed: readonly Held[];
}

type ReadServices = Pick<EnrichmentServices, 'crm' | 'policy'>;

/** Reads all records of one object type in one batch, and the companies of contacts in another. */
export async function readRecords(
  services: ReadServices,
  objectType: ObjectType,
  held: readonly Held[],
): Promise<ReadRecords> {
  return (await readWith(services, { objectType, held, historyOf: [] })).read;
}

/**
 * The same, and which blanks a person made: what somebody filled and emptied stays empty. The history of new records comes
 * with the records; that of records which we know is only asked for where we do not know a blank.
 * @param blanksOf names of blank properties of a record that matter, and of which nothing else is known.
 */
export async function readWithPast(
  services: ReadServices & Pick<EnrichmentServices, 'ownAppId'>,
  { objectType, held }: { readonly objectType: ObjectType; readonly held: readonly Held[] },
  blanksOf: (held: HeldRecord) => readonly string[],
): Promise<ReadRecords> {
  const hasNew = held.some(({ state, run }) => state.answeredAtMs === undefined && run.purpose !== 'manual');
  const historyOf = hasNew ? fillable(services.policy, objectType) : [];
  const { read, history } = await readWith(services, { objectType, held, historyOf });
  if (historyOf.length === 0) return { ...read, found: await withEmptied(services, read.found, blanksOf) };
  const found = read.found.map((each) => {
    const versions = history.get(each.id) ?? {};
    return withEmptiedOf(each, { names: blanksOf(each), versions, ownAppId: services.ownAppId });
  });
  return { ...read, found };
}

interface Reading {
  readonly objectType: ObjectType;
  readonly held: readonly Held[];
  readonly historyOf: readonly string[];
}

const NO_HISTORY: CrmHistory = new Map();

async function readWith(services: ReadServices, { objectType, held, historyOf }: Reading) {
  const { policy } = services;
  const properties = new Set([
    ...IDENTIFYING_PROPERTIES[objectType],
    ...PLAUSIBILITY_PROPERTIES[objectType],
    ...policy.fields[objectType].map(({ property }) => property),
    ...policy.refresh.worth[objectType].map(({ property }) => property),
    'enrichment_requested',
  ]);
  const query = { objectType, ids: held.map(({ id }) => id), properties: [...properties], historyOf };
  const [{ records, failed, history = NO_HISTORY }, { definitions }] = await Promise.all([
    readWithCompanies(services.crm, query),
    portalOf(services, objectType),
  ]);
  const found = held.flatMap((each): HeldRecord[] => {
    const record = records.get(each.id);
    if (!record) return [];
    // Whatever brought it here: somebody who asked for it in HubSpot is not kept waiting behind a scan.
    const requested = textOf(record, 'enrichment_requested') === 'true';
    const isMass = each.run.purpose === 'workflow' || each.run.purpose === 'import';
    const run = requested && !isMass ? { ...each.run, purpose: 'manual' as const } : each.run;
    return [{ ...each, run, record, definitions, requested }];
  });
  const rest = held.filter(({ id }) => !records.has(id));
  const missing = rest.filter(({ id }) => !failed.has(id));
  return { read: { found, missing, failed: rest.filter(({ id }) => failed.has(id)) }, history };
}

/** The currency is asked for only where an amount may be written. */
export async function portalOf(
  { crm, policy }: Pick<EnrichmentServices, 'crm' | 'policy'>,
  objectType: ObjectType,
): Promise<PortalShape> {
  const definitions = await crm.definitions(objectType);
  const hasAmounts = policy.fields[objectType].some(({ currency }) => currency !== undefined);
  return { definitions, currency: hasAmounts ? await crm.currency() : undefined };
}

const COMPANY_PROPERTIES = ['domain', 'website'];

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
  const domains = new Map(seen.map((record) => [companyIdOf(record), record.companyDomain]));
  const named = [...reading.records.values()].flatMap((record) => companyIdOf(record) ?? []);
  const ids = [...new Set(named)].filter((id) => !domains.has(id));
  if (ids.length > 0) {
    const companies = await crm.read({ objectType: 'companies', ids, properties: COMPANY_PROPERTIES });
    for (const [id, company] of companies.records)
      domains.set(id, companyDomainOf(company, COMPANY_PROPERTIES));
  }
  const records = [...reading.records].map(([id, record]): [string, CrmRecord] => {
    const companyDomain = domains.get(companyIdOf(record));
    return [id, companyDomain === undefined ? record : { ...record, companyDomain }];
  });
  return { ...reading, records: new Map(records) };
}

export function companyIdOf(record: Pick<CrmRecord, 'properties'>): string | undefined {
  return textOf(record, 'associatedcompanyid');
}
