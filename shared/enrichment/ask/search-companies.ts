import { keyOf } from '#shared/field-policy/coverage.ts';
import { asProfile } from '#shared/field-policy/mapping/search-record.ts';
import { speaksAgainst } from '#shared/field-policy/ranges.ts';
import { textOf } from '#shared/identity/record-identity.ts';
import type { CompaniesRequest, CompanyResult } from '#shared/questions/companies/companies-result.ts';
import type { Run } from '#shared/records/schemas.ts';
import { ownershipOf } from '../memory.ts';
import type { EnrichmentServices, HeldRecord } from '../services.ts';
import type { Planned } from './plan-record.ts';
import { quotedCredits } from './plan-record.ts';

/** What may wait for others, so that many are asked about at once. Whoever else comes takes what is known already. */
const BY_SEARCH: ReadonlySet<Run['purpose']> = new Set(['refresh', 'backfill']);

type Limits = Pick<CompaniesRequest, 'notAfterMs' | 'slotPatienceMs'>;

/** Asks about the companies of a batch of records in searches, where these tell enough. @returns results by record id. */
export async function searchCompanies(
  services: EnrichmentServices,
  plans: readonly Planned[],
  limits: Limits,
): Promise<ReadonlyMap<string, CompanyResult>> {
  const results = new Map<string, CompanyResult>();
  const searched = plans.filter(
    ({ searchDomain, held }) => searchDomain !== undefined && held.run.credits < quotedCredits(held),
  );
  if (searched.length === 0) return results;
  // While HubSpot refuses what was bought, one purchase at a time shows whether it still does.
  const isRefusing = (await services.writeBreakers.open('companies')) !== undefined;
  for (const group of Map.groupBy(searched, spenderOf).values()) {
    const { purpose, overrulesReserve } = group[0]?.held.run ?? {};
    if (!purpose) continue;
    const domains = group.flatMap(({ searchDomain }) => searchDomain ?? []);
    const knownOnly = isRefusing || !BY_SEARCH.has(purpose);
    const byDomain = await services.gateway.askCompanies({
      ...limits,
      ...{ purpose, overrulesReserve, domains, knownOnly },
    });
    const paid = new Set<string>();
    for (const { held, searchDomain = '' } of group) {
      const result = byDomain.get(searchDomain);
      if (!result) continue;
      // Two records of one company have cost it once.
      const isSecond = paid.has(searchDomain) && 'credits' in result;
      results.set(held.id, inProfileForm(isSecond ? { ...result, credits: 0 } : result, searchDomain));
      paid.add(searchDomain);
    }
  }
  return results;
}

/** Those that spend from the same credits share a search. */
function spenderOf({ held: { run } }: Planned): string {
  return run.overrulesReserve ? `${run.purpose}, admitted` : run.purpose;
}

function inProfileForm(result: CompanyResult, domain: string): CompanyResult {
  return result.kind === 'found' ? { ...result, record: asProfile(result.record, domain) } : result;
}

/** Whether a range that came no longer holds a number that is ours: the profile tells the new one. */
export function isOutdated(
  services: Pick<EnrichmentServices, 'policy' | 'digest'>,
  held: HeldRecord,
  answer: Readonly<Record<string, unknown>>,
): boolean {
  const { isOurs } = ownershipOf(services, held);
  return services.policy.fields[held.objectType].some((rule) => {
    const { property, write } = rule;
    const value = textOf(held.record, property);
    const isRefreshed = write === 'always' || (write === 'ours' && isOurs(property));
    return value !== undefined && isRefreshed && speaksAgainst(answer, keyOf(rule), value);
  });
}
