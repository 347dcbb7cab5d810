import { answerKeyOf, asProfile, rangeContradicts } from '#shared/field-policy';
import { textOf, weighEvidence } from '#shared/identity';
import {
  type Commitment,
  type CompaniesRequest,
  type CompanyResult,
  recordObservation,
} from '#shared/questions';
import type { Run } from '#shared/records';
import { backfillCheckOf, backfillOf } from '../backfill/halted.ts';
import { ownershipOf } from '../memory.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
import { allOf, isAdmittedStill } from './admit-record.ts';
import type { QuestionPlan } from './plan-record.ts';
import { leftCredits, quotedCredits, storeCommitments, withCharges, withSpent } from './price-limit.ts';
import { worstCaseOf } from './worst-case.ts';

/** Runs with these purposes can wait, so that one search serves many records. All other runs use only known results. */
const SEARCH_PURPOSES: ReadonlySet<Run['purpose']> = new Set(['refresh', 'backfill']);

interface Limits extends Pick<CompaniesRequest, 'notAfterMs' | 'slotPatienceMs'> {
  /**
   * Whether HubSpot refuses paid values. If so, no search is bought. One profile lookup an hour tests whether HubSpot
   * still refuses them.
   */
  readonly isRefusing: boolean;
}

interface Searched {
  readonly planned: QuestionPlan;
  readonly result?: CompanyResult | undefined;
}

/**
 * Looks up the companies of a batch by search, if a search can fill enough.
 * @returns the results by record id.
 */
export async function searchCompanies(
  services: EnrichmentServices,
  plans: readonly QuestionPlan[],
  limits: Limits,
): Promise<ReadonlyMap<string, Searched>> {
  const { results, committed } = await askSearches(services, plans, limits);
  const searched = plans.map(async (planned): Promise<[string, Searched]> => {
    const { id } = planned.held;
    const result = results.get(id);
    const commitments = committed.get(id);
    if (!commitments) return [id, { planned, result }];
    // The result contains the charge of its own batch. Charges of earlier or doubtful batches are read from their
    // questions.
    const otherCommitments = commitments.filter(
      ({ questionKey }) => result?.kind !== 'found' || result.questionKey !== questionKey,
    );
    const run = await withCharges(services, { ...planned.held.run, commitments: otherCommitments });
    return [id, { planned: { ...planned, held: withSpent(planned.held, run) }, result }];
  });
  return new Map(await Promise.all(searched));
}

async function askSearches(
  services: EnrichmentServices,
  plans: readonly QuestionPlan[],
  { isRefusing, ...limits }: Limits,
): Promise<SearchResults> {
  const results = new Map<string, CompanyResult>();
  const committed: Committed = new Map();
  for (const group of Map.groupBy(plans, spenderOf).values()) {
    const [{ held: first }] = group as [QuestionPlan, ...QuestionPlan[]];
    const { purpose, overrulesReserve, askedBy } = first.run;
    const isAdmitted = isAdmittedStill(
      services,
      group.map(({ held }) => held),
    );
    const isWanted = allOf(backfillCheckOf(services, first), isAdmitted);
    const domains = group.flatMap(({ searchDomain }) => searchDomain ?? []);
    const knownOnly = isRefusing || !SEARCH_PURPOSES.has(purpose);
    // The first record of a company pays for the search.
    const payers = new Map(group.map((plan) => [plan.searchDomain, plan] as const).reverse());
    const isCovered = (domain: string) => coversSearch(services, payers.get(domain), committed);
    const commit = (domain: string, attempt: Commitment) =>
      commitFor(services, { payer: payers.get(domain), attempt, committed });
    const byDomain = await services.gateway.askCompanies({
      ...{ ...limits, purpose, overrulesReserve, rule: first.admission.countedAs, askedBy },
      ...{ domains, knownOnly },
      ...{ isCovered, commit, isWanted },
    });
    const paid = new Set<string>();
    let wrongResults = 0;
    for (const { held, searchDomain = '' } of group) {
      const result = byDomain.get(searchDomain);
      if (!result) continue;
      // The second record of a company costs nothing.
      const isSecond = paid.has(searchDomain) && 'credits' in result;
      const profile = inProfileForm(isSecond ? { ...result, credits: 0 } : result, searchDomain);
      results.set(held.id, profile);
      if (profile.kind === 'found' && profile.credits > 0 && isOfAnother(held, profile)) wrongResults += 1;
      paid.add(searchDomain);
    }
    // On arrival, wrong results were counted as results.
    if (wrongResults > 0)
      await recordObservation(services.forgetting, {
        kind: 'answered',
        asked: 0,
        results: 0,
        unusable: wrongResults,
      });
  }
  return { results, committed };
}

/**
 * Returns the key of a group that can share a search. Its records have the same purpose, reserve, rule and asker.
 * Backfills stay apart, because one can be stopped while another continues.
 */
function spenderOf({ held }: QuestionPlan): string {
  const { purpose, overrulesReserve = false, askedBy } = held.run;
  return [purpose, backfillOf(held), overrulesReserve, held.admission.rule, askedBy].join(' ');
}

interface SearchResults {
  /** By record id. */
  readonly results: ReadonlyMap<string, CompanyResult>;
  /** Commitments of the runs with a price limit, by record id. */
  readonly committed: ReadonlyMap<string, readonly Commitment[]>;
}

type Committed = Map<string, readonly Commitment[]>;

/** Whether the price covers the search and the profile lookup that follows if the search returns nothing. */
async function coversSearch(
  services: EnrichmentServices,
  payer: QuestionPlan | undefined,
  committed: Committed,
): Promise<boolean> {
  if (!payer || quotedCredits(payer.held) === Number.POSITIVE_INFINITY) return true;
  const { held } = payer;
  const commitments = committed.get(held.id);
  const run = commitments ? await withCharges(services, { ...held.run, commitments }) : held.run;
  return leftCredits(withSpent(held, run)) >= worstCaseOf(payer);
}

interface Committing {
  readonly payer: QuestionPlan | undefined;
  readonly attempt: Commitment;
  readonly committed: Committed;
}

async function commitFor(
  services: EnrichmentServices,
  { payer, attempt, committed }: Committing,
): Promise<boolean> {
  if (!payer || quotedCredits(payer.held) === Number.POSITIVE_INFINITY) return true;
  const { held } = payer;
  const commitments = [...(committed.get(held.id) ?? held.run.commitments ?? []), attempt];
  committed.set(held.id, commitments);
  return storeCommitments(services, held, commitments);
}

/** Whether the search returned another company's record. */
export function isOfAnother({ record }: ClaimedRecord, { record: answer }: Found): boolean {
  return weighEvidence('identity', { record, answer, bySearch: true }).kind === 'contradiction';
}

type Found = Extract<CompanyResult, { kind: 'found' }>;

function inProfileForm(result: CompanyResult, domain: string): CompanyResult {
  return result.kind === 'found' ? { ...result, record: asProfile(result.record, domain) } : result;
}

/** Whether a returned range contradicts a number that we wrote. If so, the new number needs a profile lookup. */
export function isOutdated(
  services: Pick<EnrichmentServices, 'policy' | 'digest'>,
  held: ClaimedRecord,
  answer: Readonly<Record<string, unknown>>,
): boolean {
  const { isOurs } = ownershipOf(services, held);
  return services.policy.fields[held.objectType].some((rule) => {
    const { property, write } = rule;
    const value = textOf(held.record, property);
    const isRefreshed = write === 'always' || (write === 'ours' && isOurs(property));
    return value !== undefined && isRefreshed && rangeContradicts(answer, answerKeyOf(rule), value);
  });
}
