import {
  type Crm,
  type CrmReading,
  type CrmRecord,
  isAboutPerson,
  type ObjectType,
  type PropertyDefinitions,
} from '#shared/crm';
import { admissionOf, propertiesOfRules } from '#shared/field-policy';
import { companyDomainOf, IDENTIFYING_PROPERTIES, textOf } from '#shared/identity';
import type { ClaimedRecord, EnrichmentServices, RecordClaim } from './services.ts';

export interface ReadRecords {
  readonly found: readonly ClaimedRecord[];
  /** Records that are deleted, merged or unknown in HubSpot. */
  readonly missing: readonly RecordClaim[];
  /** Records for which HubSpot gave no answer. */
  readonly failed: readonly RecordClaim[];
  /** Versions of the properties in `historyOf`, by record id. */
  readonly history: NonNullable<CrmReading['history']>;
}

/**
 * Reads all records of one object type in one batch, and the companies of contacts in another.
 * @param historyOf properties whose history is read in the same requests.
 */
export async function readRecords(
  services: Pick<EnrichmentServices, 'crm' | 'policy' | 'clock'>,
  objectType: ObjectType,
  held: readonly RecordClaim[],
  historyOf: readonly string[] = [],
): Promise<ReadRecords> {
  const { crm, policy, clock } = services;
  const rules = propertiesOfRules(policy, objectType);
  const properties = new Set([
    ...IDENTIFYING_PROPERTIES[objectType],
    ...policy.fields[objectType].map(({ property }) => property),
    ...policy.refresh.weights[objectType].map(({ property }) => property),
    ...rules.own,
    'enrichment_requested',
  ]);
  const ids = held.map(({ id }) => id);
  const readAtMs = clock.now();
  const companyProperties = rules.company;
  const query = { objectType, ids, properties: [...properties], historyOf, companyProperties };
  const [{ records, failed, history = new Map() }] = await Promise.all([
    readWithCompanies(crm, query),
    knownProperties(services, objectType),
  ]);
  // Reads the definitions after the records, because reading the records can reveal a deleted property.
  const definitions = await crm.definitions(objectType);
  const isKnown = await knownProperties(services, objectType);
  const found = held.flatMap((claim): ClaimedRecord[] => {
    const record = records.get(claim.id);
    if (!record) return [];
    // A record that a person requested in HubSpot does not wait behind a bulk run, whatever event started its own run.
    const requested = textOf(record, 'enrichment_requested') === 'true';
    const isMass = claim.run.purpose === 'workflow' || claim.run.purpose === 'import';
    const run = requested && !isMass ? { ...claim.run, purpose: 'manual' as const } : claim.run;
    const admission = admissionOf(policy, record, { nowMs: readAtMs, isKnown });
    return [{ ...claim, run, record, definitions, admission, readAtMs, requested }];
  });
  const unread = held.filter(({ id }) => !records.has(id));
  return {
    found,
    missing: unread.filter(({ id }) => !failed.has(id)),
    failed: unread.filter(({ id }) => failed.has(id)),
    history,
  };
}

export type KnownProperties = (property: string, of: ObjectType) => boolean;

/**
 * Returns a check whether HubSpot has the properties that rules read. Without `rules`, the check covers the properties
 * of `policy.whom`.
 */
export async function knownProperties(
  { crm, policy }: Pick<EnrichmentServices, 'crm' | 'policy'>,
  objectType: ObjectType,
  rules: Pick<ReturnType<typeof propertiesOfRules>, 'company'> = propertiesOfRules(policy, objectType),
): Promise<KnownProperties> {
  const readsCompany = rules.company.length > 0;
  const types = readsCompany ? [objectType, 'companies' as const] : [objectType];
  const definitions = new Map<ObjectType, PropertyDefinitions>();
  for (const type of types) definitions.set(type, await crm.definitions(type));
  return (property, ofType) => definitions.get(ofType)?.has(property) !== false;
}

const COMPANY_PROPERTIES = ['domain', 'website', 'hs_additional_domains'];

type OfCompany = Pick<CrmRecord, 'companyDomain' | 'companyDomains' | 'companyProperties'>;

/**
 * Reads records, and for contacts the domains of their companies. The domains identify the company, and reveal answers
 * about other companies.
 * @param seen records of an earlier read. Their companies are not read again.
 */
export async function readWithCompanies(
  crm: Pick<Crm, 'read'>,
  query: Parameters<Crm['read']>[0] & { readonly companyProperties?: readonly string[] },
  seen: readonly CrmRecord[] = [],
): Promise<CrmReading> {
  const { companyProperties = [], ...ownQuery } = query;
  const reading = await crm.read(ownQuery);
  if (!isAboutPerson(query)) return reading;
  const known = new Map(seen.map((record) => [companyIdOf(record), companyIn(record)]));
  const companyIds = [...reading.records.values()].flatMap((record) => companyIdOf(record) ?? []);
  const ids = [...new Set(companyIds)].filter((id) => !known.has(id));
  if (ids.length > 0) {
    const properties = [...new Set([...COMPANY_PROPERTIES, ...companyProperties])];
    const companies = await crm.read({ objectType: 'companies', ids, properties });
    for (const [id, company] of companies.records) known.set(id, companyOf(company));
  }
  const records = [...reading.records].map(([id, record]): [string, CrmRecord] => {
    return [id, { ...record, ...known.get(companyIdOf(record)) }];
  });
  return { ...reading, records: new Map(records) };
}

function companyIn({ companyDomain, companyDomains, companyProperties }: CrmRecord): OfCompany {
  return companyDomains === undefined ? {} : { companyDomain, companyDomains, companyProperties };
}

function companyOf(company: CrmRecord): OfCompany {
  const additional = textOf(company, 'hs_additional_domains')?.split(';') ?? [];
  const domains = [textOf(company, 'domain') ?? '', ...additional];
  return {
    companyDomain: companyDomainOf(company),
    companyDomains: domains.filter((domain) => domain !== ''),
    companyProperties: company.properties,
  };
}

export function companyIdOf(record: Pick<CrmRecord, 'properties'>): string | undefined {
  return textOf(record, 'associatedcompanyid');
}

/** The portal's properties, and its currency if the policy writes amounts. */
export interface PortalShape {
  readonly definitions: PropertyDefinitions;
  readonly currency?: string | undefined;
}

/** Reads the currency only if the policy writes an amount. */
export async function portalOf(
  { crm, policy }: Pick<EnrichmentServices, 'crm' | 'policy'>,
  objectType: ObjectType,
): Promise<PortalShape> {
  const definitions = await crm.definitions(objectType);
  const hasAmounts = policy.fields[objectType].some(({ currency }) => currency !== undefined);
  return { definitions, currency: hasAmounts ? await crm.currency() : undefined };
}
