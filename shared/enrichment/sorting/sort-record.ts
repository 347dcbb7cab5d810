import type { Policy } from '#shared/field-policy';
import { counted } from '#shared/kernel';
import type { Explanation } from '#shared/ownership';
import { LOOKUPS, priceOfMiss, priceOfQuestion, type Question, questionKey } from '#shared/questions';
import { because, type Outcome } from '#shared/records';
import { barredBy } from '../ask/admit-record.ts';
import { isStored } from '../ask/known-answer.ts';
import type { Plan } from '../ask/plan.ts';
import { planFromRecord } from '../ask/plan-record.ts';
import { worstCaseOf } from '../ask/worst-case.ts';
import type { Member } from '../backfill/schemas.ts';
import type { Kind } from '../backfill/transitions.ts';
import { isFresh, paidFor, wasUndone } from '../memory.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';

type Asking = Extract<Plan, { kind: 'ask' }>;

/** A record's first question, which other records may share. */
export type FirstQuestion = NonNullable<Member['first']>;

export type SortedRecord =
  | {
      readonly kind: 'member';
      readonly plan: Asking;
      /** Highest price that its rule of the policy allows, credits. */
      readonly maxCredits: number;
      readonly first: FirstQuestion;
      /** Set if an answer to the question is stored. */
      readonly known?: KnownAnswer | undefined;
    }
  | { readonly kind: 'left-out'; readonly reason: Explanation };

/** Decides whether a backfill would look up a record. Returns its first question, or the reason why it is left out. */
export async function sortRecord(
  services: EnrichmentServices,
  held: Omit<ClaimedRecord, 'run' | 'requested'>,
): Promise<SortedRecord> {
  const { digest } = services;
  const { state } = held;
  if (state.forgottenAtMs !== undefined) return leftOut(because('forgotten'));
  if (state.run) return leftOut(because('in-progress'));
  if (isUpToDate(services, held)) return leftOut(because('fresh'));
  const readRecord = { ...held, run: RUN, requested: false };
  const barred = barredBy(readRecord, services.clock.now());
  if (barred) return leftOut(barred.reason);
  const plan = planFromRecord(services, readRecord, paidFor(services, readRecord));
  if (plan.kind === 'skip') return leftOut(because(plan.reason));
  const [question] = plan.questions;
  const first = { questionKey: questionKey(question, digest), options: question.options };
  const known = (await isStored(services, question, state)) ? 'stored' : undefined;
  return { kind: 'member', plan, first, maxCredits: held.admission.maxCredits, known };
}

/** Reason why a record's first question costs nothing. */
export type KnownAnswer = 'stored' | 'other-record';

/** Returns the kind of question for a record with its prices, capped by its rule of the policy. */
export function kindOf(
  { plan, maxCredits: limit }: Pick<Extract<SortedRecord, { kind: 'member' }>, 'plan' | 'maxCredits'>,
  policy: Policy,
  known: KnownAnswer | undefined,
): Kind {
  const kind = uncappedKind(plan, policy, known);
  const { name, hitCredits, missCredits, maxCredits } = kind;
  if (maxCredits <= limit) return kind;
  return {
    ...kind,
    name: `${name}, at most ${counted(limit, 'credit')}`,
    hitCredits: Math.min(hitCredits, limit),
    missCredits: Math.min(missCredits, limit),
    maxCredits: limit,
  };
}

function uncappedKind({ questions }: Asking, { noMatchCost }: Policy, known: KnownAnswer | undefined): Kind {
  const paid = known ? questions.slice(1) : questions;
  const missOf = (asked: readonly Question[]) =>
    asked.reduce((sum, question) => sum + priceOfMiss(question, noMatchCost), 0);
  if (known)
    return {
      name: [REUSE_WORDS[known], ...paid.map(wordsOf)].join(', else '),
      hitCredits: 0,
      missCredits: missOf(paid),
      maxCredits: worstCaseOf(paid),
      ...(known === 'other-record' && { follows: true }),
    };
  return {
    name: questions.map(wordsOf).join(', else '),
    hitCredits: priceOfQuestion(questions[0]),
    missCredits: missOf(questions),
    maxCredits: worstCaseOf(questions),
  };
}

const REUSE_WORDS = { stored: 'already answered', 'other-record': 'answered with another record' } as const;

function wordsOf({ operation, options }: Question): string {
  return [LOOKUPS[operation].words, ...options.map((option) => `with ${option}`)].join(' ');
}

const RUN = { id: 'quote', purpose: 'backfill', openedAtMs: 0, credits: 0 } as const;

function isUpToDate(
  services: EnrichmentServices,
  known: Pick<ClaimedRecord, 'record' | 'state' | 'admission'>,
): boolean {
  const { outcome } = known.state;
  const isKnown = outcome !== undefined && (LOOKED_UP.has(outcome.kind) || wasUndone(known.state));
  return isKnown && isFresh(services, known);
}

/** Outcomes that the same lookup would repeat. */
const LOOKED_UP: ReadonlySet<Outcome['kind']> = new Set(['enriched', 'unchanged', 'unmatched']);

function leftOut(reason: Explanation): SortedRecord {
  return { kind: 'left-out', reason };
}
