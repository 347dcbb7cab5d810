import { companyDomain, profileKey } from '#shared/identity';
import type { Digest } from '#shared/kernel';
import { companyKey, questionKey } from '../question.ts';

type CompanyRecord = Readonly<Record<string, unknown>>;

/** Whose result a record is: the company of one requested domain, or of none. */
export interface Fitted {
  readonly byDomain: ReadonlyMap<string, CompanyRecord>;
  /** Of domains that were not requested, or a second result for one domain. */
  readonly unfit: readonly CompanyRecord[];
}

/**
 * Gives each result to its requested domain. Nothing is guessed: of two companies of one domain neither is
 * taken.
 * @param domainsOf the domains that a result may be known by.
 */
export function fitResults(
  domains: readonly string[],
  results: readonly CompanyRecord[],
  domainsOf: (result: CompanyRecord) => readonly string[] = ownDomains,
): Fitted {
  const asked = new Set(domains);
  const found = new Map<string, CompanyRecord[]>();
  for (const result of results) {
    const domain = domainsOf(result).find((each) => asked.has(each));
    if (domain !== undefined) found.set(domain, [...(found.get(domain) ?? []), result]);
  }
  const sole = [...found].flatMap(([domain, [result, ...others]]) =>
    result && others.length === 0 ? [[domain, result] as const] : [],
  );
  const byDomain = new Map(sole);
  const used = new Set(byDomain.values());
  return { byDomain, unfit: results.filter((result) => !used.has(result)) };
}

/** Its first domain before its website: some companies show another's. */
function ownDomains({ primary_domain: primary, website_url: website }: CompanyRecord): string[] {
  return [primary, website].flatMap((text) => (typeof text === 'string' ? (companyDomain(text) ?? []) : []));
}

/** The keys of the questions that could be asked for the company of an answer: by its domains, and by its page. */
export function companyKeys(record: CompanyRecord, digest: Digest): string[] {
  const { primary_domain: primary, domains, network_url: page } = record;
  const named = [primary, ...(Array.isArray(domains) ? domains : [])].filter(
    (each) => typeof each === 'string',
  );
  const byDomain = named
    .flatMap((text) => companyDomain(text) ?? [])
    .map((domain) => companyKey(domain, digest));
  const network_url = typeof page === 'string' && page !== '' ? `https://${profileKey(page)}` : undefined;
  const byPage = network_url
    ? [questionKey({ operation: 'companyProfile', parameters: { network_url }, options: [] }, digest)]
    : [];
  return [...new Set([...byDomain, ...byPage])];
}
