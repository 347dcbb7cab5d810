import { badRequest } from './errors.ts';
import type { Company } from './world/types.ts';

/**
 * Possible behaviours of a company search for many domains, because the vendor documents none. A setting chooses one.
 */
export const COMPANY_MATCHINGS = ['exact', 'fuzzy', 'several', 'swapped'] as const;
type CompanyMatching = (typeof COMPANY_MATCHINGS)[number];

export interface SearchVariants {
  /** How a company search matches domains. See the README. */
  readonly companyMatching: CompanyMatching;
  /** Maximum number of domains in a company search. More domains give a 400. */
  readonly mostFilterValues: number;
  /** Charge for a search without results: nothing, or the price of one result. */
  readonly emptySearchCost: 'none' | 'base';
  /** Results that a search delivers and charges beyond the requested page. */
  readonly pageOverrun: number;
}

/** @throws ApiError 400 for more domains than the setting allows. */
export function applyVariants(
  found: readonly Company[],
  domains: unknown,
  { companies, settings }: { readonly companies: readonly Company[]; readonly settings: SearchVariants },
): readonly Company[] {
  if (!Array.isArray(domains)) return found;
  const { mostFilterValues, companyMatching } = settings;
  if (domains.length > mostFilterValues)
    throw badRequest(`q_organization_domains takes at most ${mostFilterValues} values`);
  switch (companyMatching) {
    case 'fuzzy':
      return companies.filter((company) => domains.some((domain) => isLike(company, String(domain))));
    case 'several':
      return found.flatMap((company) => [company, sisterOf(company)]);
    case 'swapped':
      return found.map((company, index) => ({
        ...(found[index + 1] ?? found[0] ?? company),
        domains: company.domains,
      }));
    default:
      return found;
  }
}

/** Treats domains with the same first two letters as equal. */
function isLike({ domains }: Company, wanted: string): boolean {
  return domains.some((domain) => domain.slice(0, 2) === wanted.slice(0, 2));
}

/** Another company that shows the same domain. */
function sisterOf(company: Company): Company {
  return {
    ...company,
    id: `${company.id}-2`,
    name: `${company.name} Holding`,
    about: 'Holds shares.',
    phone: undefined,
  };
}
