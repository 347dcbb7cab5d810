import { badRequest } from '../errors.ts';
import { readText } from '../parameters.ts';
import type { Company } from '../world/types.ts';
import type { World } from '../world/world.ts';
import { readDomain, readPageAddress } from '../written-forms.ts';

/** Identity of a company in a request. At least one of the two fields is set. */
export interface CompanyIdentity {
  readonly domain: string | undefined;
  readonly slug: string | undefined;
}

export interface IdentityParameters {
  readonly domain: string;
  readonly url: string;
  /** Error text if both are absent. */
  readonly missingText: string;
}

/** @throws ApiError 400 */
export function readCompanyIdentity(query: URLSearchParams, names: IdentityParameters): CompanyIdentity {
  const domainText = readText(query, names.domain);
  const urlText = readText(query, names.url);
  if (domainText === undefined && urlText === undefined) throw badRequest(names.missingText);
  return {
    domain: domainText === undefined ? undefined : readCompanyDomain(domainText),
    slug: urlText === undefined ? undefined : readCompanySlug(urlText),
  };
}

/** @throws ApiError 400 */
export function readCompanyDomain(text: string): string {
  const domain = readDomain(text);
  if (domain === undefined) throw badRequest('Invalid company domain format');
  return domain;
}

function readCompanySlug(text: string): string {
  const address = readPageAddress(text);
  if (address?.kind === 'company') return address.slug;
  throw badRequest('Invalid company page URL format; must be a company page URL');
}

/** Finds a company by any of its domains. If the domain is absent or unknown, finds it by page. */
export function findCompany(world: World, { domain, slug }: CompanyIdentity): Company | undefined {
  const byDomain = domain === undefined ? undefined : world.companyByDomain.get(domain);
  return byDomain ?? (slug === undefined ? undefined : world.companyBySlug.get(slug));
}
