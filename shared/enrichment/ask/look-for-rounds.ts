import { keyOf } from '#shared/field-policy/coverage.ts';
import { textAt } from '#shared/field-policy/mapping/map-answer.ts';
import { DAY_MS } from '#shared/kernel/clock.ts';
import type { CompaniesRequest, RoundSeen } from '#shared/questions/companies/companies-result.ts';
import { type BoughtFunding, keepRoundsLesson } from '#shared/questions/companies/rounds-facts.ts';
import type { Failed } from '../failures.ts';
import { fingerprintOf } from '../memory.ts';
import type { EnrichmentServices } from '../services.ts';
import { noteFunding } from '../settle-record.ts';
import type { Answered } from './answered.ts';
import { type Planned, planWithoutFunding } from './plan-record.ts';

type Limits = Pick<CompaniesRequest, 'notAfterMs' | 'slotPatienceMs'>;

interface Worked {
  readonly planned?: Planned | undefined;
  readonly answered: Answered | Failed;
}

/**
 * Funding is the dearest part of a company's answer and changes seldom: a search tells for whom it did. Only they are asked
 * with funding; for the others it is known for another while, at no cost.
 * @returns the plans, some of them cheaper.
 */
export async function lookForRounds(
  services: EnrichmentServices,
  plans: readonly Planned[],
  limits: Limits,
): Promise<readonly Planned[]> {
  const due = plans.flatMap((plan) => dueOf(services, plan) ?? []);
  if (due.length === 0) return plans;
  const nowMs = services.clock.now();
  const freshMs = services.policy.freshness.companiesDays * DAY_MS;
  // A run that goes on after it was put off has looked already.
  const isFresh = ({ sinceMs }: Due) => nowMs < sinceMs + freshMs;
  const looked = due.filter(isFresh).map(({ cheaper }) => cheaper);
  const isRefusing = (await services.writeBreakers.open('companies')) !== undefined;
  const old = isRefusing ? [] : due.filter((each) => !isFresh(each));
  for (const group of Map.groupBy(old, ({ sinceMs }) => spanOf(nowMs - sinceMs)).values())
    looked.push(...(await lookAt(services, group, limits)));
  const byId = new Map(looked.map((plan) => [plan.held.id, plan]));
  return plans.map((plan) => byId.get(plan.held.id) ?? plan);
}

async function lookAt(
  services: EnrichmentServices,
  group: readonly Due[],
  limits: Limits,
): Promise<readonly Planned[]> {
  const domains = group.map(({ domain }) => domain);
  const sinceMs = Math.min(...group.map((each) => each.sinceMs));
  const seen = await services.gateway.askRounds({ ...limits, purpose: 'refresh', domains, sinceMs });
  return Promise.all(
    group.map(async (each, nth) => {
      const round = seen.get(each.domain);
      // Two records of one company have cost it once.
      const isSecond = domains.indexOf(each.domain) < nth;
      return round ? afterLook(services, each, { round, isSecond }) : each.plan;
    }),
  );
}

/** A company whose funding would be bought, and was known before. */
interface Due {
  readonly plan: Planned;
  /** The same without funding. */
  readonly cheaper: Planned;
  readonly domain: string;
  readonly sinceMs: number;
}

export function dueOf(services: EnrichmentServices, plan: Planned): Due | undefined {
  const { policy } = services;
  const { run, state } = plan.held;
  const domain = plan.questions[0]?.parameters['domain'];
  const { funding } = state;
  const isDue = policy.refresh.onlyChanged && run.purpose === 'refresh' && plan.questions.some(buysFunding);
  if (!isDue || !domain || !funding) return undefined;
  // What is known is of another company, or was not taken for all that the policy wants by now.
  const isOther = state.fingerprint !== fingerprintOf(plan.held.record, services);
  if (isOther || funding.rules !== fundingRules(services)) return undefined;
  // Where nothing else is to be asked, the search would only come on top.
  const cheaper = planWithoutFunding(services, plan.held);
  return cheaper && { plan, cheaper, domain, sinceMs: funding.atMs };
}

export function buysFunding({ options }: Planned['questions'][number]): boolean {
  return options.includes('funding');
}

/** For which rules of the policy funding is known. */
export function fundingRules({ policy, digest }: EnrichmentServices): string {
  const rules = policy.fields.companies.filter((rule) => keyOf(rule) === 'funding');
  return digest.sha256(JSON.stringify([policy.mode, rules])).slice(0, 16);
}

/** Companies are looked at together whose last look was about as long ago: the search goes as far back as the longest. */
const SPANS_MS = [3, 6, 12, 24, 48].map((months) => (months * 365.25 * DAY_MS) / 12);

function spanOf(agoMs: number): number {
  return SPANS_MS.find((span) => agoMs <= span) ?? Number.POSITIVE_INFINITY;
}

/** Of those that a search does not name, one in so many is asked in full all the same, to see what it hides. */
const AUDITED_ONE_IN = 50;

async function afterLook(
  services: EnrichmentServices,
  { plan, cheaper }: Due,
  { round, isSecond }: { readonly round: RoundSeen; readonly isSecond: boolean },
): Promise<Planned> {
  if (round.kind === 'waiting') return { ...plan, wait: round };
  const { kind, askedAtMs } = round;
  const credits = isSecond ? 0 : round.credits;
  if (kind === 'unproved') return { ...plan, funding: { credits } };
  if (kind === 'had-round')
    return { ...plan, funding: { credits, verdict: { kind: 'named', sinceMs: round.sinceMs } } };
  const isAudited = drawOf(services, plan) % AUDITED_ONE_IN === 0;
  if (isAudited)
    return { ...plan, funding: { credits, verdict: { kind: 'unnamed', sinceMs: round.sinceMs } } };
  await noteFunding(services, plan.held, { atMs: askedAtMs, rules: fundingRules(services) });
  return { ...cheaper, funding: { credits } };
}

/** Always the same for one run. */
function drawOf({ digest }: EnrichmentServices, { held }: Planned): number {
  return Number.parseInt(digest.keyed(`audit ${held.run.id}`).slice(0, 8), 16);
}

/** Learns from what was bought whether the search for rounds can be believed, and of whom it is known what it has to say. */
export async function learnOfRounds(services: EnrichmentServices, worked: readonly Worked[]): Promise<void> {
  if (!services.policy.refresh.onlyChanged) return;
  const bought = worked.flatMap(({ planned, answered }) => (planned && boughtBy(planned, answered)) ?? []);
  if (bought.length > 0) await keepRoundsLesson(services.forgetting, { kind: 'bought', bought });
}

function boughtBy({ questions, funding }: Planned, answered: Worked['answered']): BoughtFunding | undefined {
  const domain = questions[0]?.parameters['domain'];
  if (domain === undefined || answered.kind !== 'found' || !answered.funding) return undefined;
  const roundAtMs = Date.parse(textAt(answered.answer, 'funding/last_funding_round/date') ?? '');
  return {
    domain,
    boughtAtMs: answered.askedAtMs,
    roundAtMs: Number.isNaN(roundAtMs) ? undefined : roundAtMs,
    verdict: funding?.verdict,
  };
}
