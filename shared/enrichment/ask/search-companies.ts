import { keyOf } from '#shared/field-policy/coverage.ts';
import { asProfile } from '#shared/field-policy/mapping/search-record.ts';
import { speaksAgainst } from '#shared/field-policy/ranges.ts';
import { textOf } from '#shared/identity/record-identity.ts';
import type { Commitment } from '#shared/questions/ask-result.ts';
import type { CompaniesRequest, CompanyResult } from '#shared/questions/companies/companies-result.ts';
import type { Run } from '#shared/records/schemas.ts';
import { ownershipOf } from '../memory.ts';
import type { EnrichmentServices, HeldRecord } from '../services.ts';
import { dueOf, lookForRounds } from './look-for-rounds.ts';
import type { Planned } from './plan-record.ts';
import { leftCredits, quotedCredits, storeCommitments, withCharges, withSpent } from './price-limit.ts';

/** What may wait for others, so that many are asked about at once. Whoever else comes takes what is known already. */
const BY_SEARCH: ReadonlySet<Run['purpose']> = new Set(['refresh', 'backfill']);

type Limits = Pick<CompaniesRequest, 'notAfterMs' | 'slotPatienceMs'>;

interface Told {
  readonly planned: Planned;
  readonly searched?: CompanyResult | undefined;
}

/** Asks searches about the companies of a batch of records, where they tell enough. @returns what they told, by record id. */
export async function askTogether(
  services: EnrichmentServices,
  plans: readonly Planned[],
  limits: Limits,
): Promise<{ readonly kind: 'done'; readonly told: ReadonlyMap<string, Told> }> {
  const looked = await lookForRounds(services, plans, limits);
  const { results, committed } = await searchCompanies(services, looked, limits);
  const told = looked.map(async (planned): Promise<[string, Told]> => {
    const { id } = planned.held;
    const searched = results.get(id);
    const open = committed.get(id);
    if (!open) return [id, { planned, searched }];
    // The result says itself what its batch has cost; a batch before it, or one in doubt, has no other to say so.
    const others = open.filter(
      ({ questionKey }) => searched?.kind !== 'found' || searched.questionKey !== questionKey,
    );
    const run = await withCharges(services, { ...planned.held.run, commitments: others });
    return [id, { planned: { ...planned, held: withSpent(planned.held, run) }, searched }];
  });
  return { kind: 'done', told: new Map(await Promise.all(told)) };
}

/** Whether it may be asked about among others. */
export function isForMany(services: EnrichmentServices, planned: Planned): boolean {
  return planned.searchDomain !== undefined || dueOf(services, planned) !== undefined;
}

async function searchCompanies(
  services: EnrichmentServices,
  plans: readonly Planned[],
  limits: Limits,
): Promise<Searched> {
  const results = new Map<string, CompanyResult>();
  const committed = new Map<string, readonly Commitment[]>();
  const searched = plans.filter(
    ({ searchDomain, held, wait }) => searchDomain !== undefined && !wait && leftCredits(held) > 0,
  );
  if (searched.length === 0) return { results, committed };
  // While HubSpot refuses what was bought, one purchase at a time shows whether it still does.
  const isRefusing = (await services.writeBreakers.open('companies')) !== undefined;
  for (const [purpose, group] of Map.groupBy(searched, ({ held }) => held.run.purpose)) {
    const domains = group.flatMap(({ searchDomain }) => searchDomain ?? []);
    const knownOnly = isRefusing || !BY_SEARCH.has(purpose);
    const commit = (domain: string, attempt: Commitment) =>
      commitFor(services, { plans: group, domain, attempt, committed });
    const byDomain = await services.gateway.askCompanies({ ...limits, purpose, domains, knownOnly, commit });
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
  return { results, committed };
}

interface Searched {
  /** By record id. */
  readonly results: ReadonlyMap<string, CompanyResult>;
  /** What the runs with a price limit have committed to, by record id. */
  readonly committed: ReadonlyMap<string, readonly Commitment[]>;
}

interface Committing {
  readonly plans: readonly Planned[];
  readonly domain: string;
  readonly attempt: Commitment;
  readonly committed: Map<string, readonly Commitment[]>;
}

/** The first record of a company pays for it. */
async function commitFor(
  services: EnrichmentServices,
  { plans, domain, attempt, committed }: Committing,
): Promise<boolean> {
  const held = plans.find(({ searchDomain }) => searchDomain === domain)?.held;
  if (!held || quotedCredits(held) === Number.POSITIVE_INFINITY) return true;
  const commitments = [...(committed.get(held.id) ?? held.run.commitments ?? []), attempt];
  if (leftCredits(withSpent(held, { commitments })) < 0) return false;
  committed.set(held.id, commitments);
  return storeCommitments(services, held, commitments);
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
