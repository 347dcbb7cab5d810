import { companyDomain, profileKey } from '#shared/identity';
import type { Digest } from '#shared/kernel';
import { companyKey, questionKey } from '../question.ts';

type CompanyRecord = Readonly<Record<string, unknown>>;

/** Results of a search, assigned to the requested domains. */
export interface Fitted {
  readonly byDomain: ReadonlyMap<string, CompanyRecord>;
  /** Results with other domains, and all results of a domain that has more than one. */
  readonly unfit: readonly CompanyRecord[];
}

/**
 * Assigns each result to its requested domain. If two results have the same domain, neither is used.
 * @param domainsOf the domains of a result, the most certain first.
 */
export function fitResults(
  domains: readonly string[],
  results: readonly CompanyRecord[],
  domainsOf: (result: CompanyRecord) => readonly string[] = ownDomains,
): Fitted {
  const requested = new Set(domains);
  const found = new Map<string, CompanyRecord[]>();
  for (const result of results) {
    const domain = domainsOf(result).find((each) => requested.has(each));
    if (domain !== undefined) found.set(domain, [...(found.get(domain) ?? []), result]);
  }
  const unambiguous = [...found].flatMap(([domain, [result, ...others]]) =>
    result && others.length === 0 ? [[domain, result] as const] : [],
  );
  const byDomain = new Map(unambiguous);
  const used = new Set(byDomain.values());
  return { byDomain, unfit: results.filter((result) => !used.has(result)) };
}

/** The primary domain comes before the website, because some companies show another company's website. */
function ownDomains({ primary_domain: primary, website_url: website }: CompanyRecord): string[] {
  return [primary, website].flatMap((text) => (typeof text === 'string' ? (companyDomain(text) ?? []) : []));
}

/** Returns the keys of all questions that can look up this company: by each domain, and by the profile page. */
export function companyKeys(record: CompanyRecord, digest: Digest): string[] {
  const { primary_domain: primary, domains, network_url: page } = record;
  const texts = [primary, ...(Array.isArray(domains) ? domains : [])].filter(
    (each) => typeof each === 'string',
  );
  const byDomain = texts
    .flatMap((text) => companyDomain(text) ?? [])
    .map((domain) => companyKey(domain, digest));
  const network_url = typeof page === 'string' && page !== '' ? `https://${profileKey(page)}` : undefined;
  const byPage = network_url
    ? [questionKey({ operation: 'companyProfile', parameters: { network_url }, options: [] }, digest)]
    : [];
  return [...new Set([...byDomain, ...byPage])];
}
