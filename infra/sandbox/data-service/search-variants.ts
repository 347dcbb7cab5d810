import type { Company } from './world/types.ts';

/** How a company search matches domains, because the vendor does not document it. */
export const COMPANY_MATCHINGS = ['exact', 'fuzzy'] as const;

export interface SearchVariants {
  /** How a company search matches domains. See the README. */
  readonly companyMatching: (typeof COMPANY_MATCHINGS)[number];
  /** Charge for a search without results: nothing, or the price of one result. */
  readonly emptySearchCost: 'none' | 'base';
  /** Results that a search delivers and charges beyond the requested page. */
  readonly pageOverrun: number;
}

/** Returns the companies whose domain has the same first two letters as a wanted domain. */
export function fuzzyMatches(companies: readonly Company[], wanted: readonly unknown[]): readonly Company[] {
  const beginnings = wanted.map((domain) => String(domain).slice(0, 2));
  return companies.filter(({ domains }) => domains.some((domain) => beginnings.includes(domain.slice(0, 2))));
}
