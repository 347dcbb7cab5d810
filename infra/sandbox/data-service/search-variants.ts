import { badRequest } from './errors.ts';
import type { Company } from './world/types.ts';

/** What the interface leaves open about a company search for many domains; the settings say how the stand-in has it. */
export const COMPANY_MATCHINGS = ['exact', 'fuzzy', 'several', 'swapped'] as const;
type CompanyMatching = (typeof COMPANY_MATCHINGS)[number];

export interface SearchWhims {
  /** Whom a company search by domain finds; see the README. */
  readonly companyMatching: CompanyMatching;
  /** Domains that a company search takes at most; for more it is a 400. */
  readonly mostFilterValues: number;
  /** What a search without results is charged: nothing, or one result. */
  readonly emptySearchCost: 'none' | 'base';
  /** Results that a search delivers, and charges, beyond the page that was asked for. */
  readonly pageOverrun: number;
}

/** @throws ApiError 400 for more domains than the setting allows. */
export function withWhims(
  found: readonly Company[],
  domains: unknown,
  { companies, settings }: { readonly companies: readonly Company[]; readonly settings: SearchWhims },
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

/** Domains that begin alike are as good as equal. */
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
