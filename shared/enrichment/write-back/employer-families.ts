import { addressesOf, companyDomain, domainsInAnswer, employerDomains } from '#shared/identity';
import { lookupsOf } from '#shared/questions';
import type { RecordAnswer } from '../ask/answered.ts';
import { storedAnswerTo } from '../ask/known-answer.ts';
import type { EnrichmentServices } from '../services.ts';

type Services = Pick<EnrichmentServices, 'forgetting' | 'digest' | 'clock'> & {
  readonly crm: Pick<EnrichmentServices['crm'], 'companies'>;
};

type Found = Extract<RecordAnswer, { kind: 'found' }>;

/** Groups of domains of related companies. */
export type Families = readonly (readonly string[])[];

/**
 * Looks up related employers. Uses HubSpot's parent companies and additional domains, in one search, and the domains in
 * stored answers about companies. Costs no credits.
 */
export async function familiesOf(services: Services, answers: readonly Found[]): Promise<Families> {
  const domains = [...new Set(answers.flatMap(namedDomains))];
  const companies = await services.crm.companies.withDomains(domains);
  const groups = Map.groupBy(companies, ({ id, parentId }) => parentId ?? id);
  const known = await Promise.all(domains.map((domain) => domainsOfVendor(services, domain)));
  return [
    ...[...groups.values()].map((group) =>
      group.flatMap(({ domain, additional }) => [domain, ...additional]),
    ),
    ...known,
  ];
}

/** Returns the domains of the employers that the record and the answer name. */
function namedDomains({ held: { record }, answer, askedDomain }: Found): string[] {
  const { email } = answer;
  const bought = typeof email === 'string' ? addressesOf({ properties: { email } }) : [];
  const addresses = [...addressesOf(record), ...bought].flatMap(({ domain, free }) => (free ? [] : [domain]));
  const domains = [
    ...(record.companyDomains ?? []),
    ...addresses,
    ...employerDomains(answer),
    askedDomain ?? '',
  ];
  return domains.flatMap((domain) => companyDomain(domain) ?? []);
}

async function domainsOfVendor(services: Services, domain: string): Promise<string[]> {
  for (const operation of lookupsOf('company')) {
    const stored = await storedAnswerTo(services, { operation, by: { domain }, options: [] });
    if (stored) return [domain, ...domainsInAnswer(stored.record)];
  }
  return [];
}
