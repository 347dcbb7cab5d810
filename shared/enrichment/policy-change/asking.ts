import type { Policy } from '#shared/field-policy/policy.ts';
import { textOf } from '#shared/identity/record-identity.ts';
import { DAY_MS } from '#shared/kernel/clock.ts';
import {
  covers,
  priceOfMiss,
  priceOfQuestion,
  type Question,
  type QuestionOption,
} from '#shared/questions/question.ts';
import { type Plan, planQuestions } from '../ask/plan.ts';
import { RESULT_CREDITS, worstCaseOf } from '../ask/worst-case.ts';
import type { HeldRecord } from '../services.ts';
import type { ReadRecord } from './read-group.ts';

/** The days that are looked back at, and the month that is looked ahead to. Epoch milliseconds. */
export interface Window {
  readonly fromMs: number;
  readonly nowMs: number;
}

export const MONTH_DAYS = 30;

/** Questions, and what they cost at least and at most, credits. */
export interface Asked {
  readonly questions: number;
  readonly low: number;
  readonly high: number;
}

/** What one record has asked for or will, under one policy. */
export interface RecordAsks {
  /** In the days that are looked back at: that it was new, or that something happened to it. */
  readonly live: Asked;
  /** In the month that comes, because it becomes stale. */
  readonly refresh: Asked;
  /** A month, once its answer has the age that the policy allows. */
  readonly settled: Asked;
}

const NOTHING: Asked = { questions: 0, low: 0, high: 0 };

interface Asking extends ReadRecord {
  readonly window: Window;
  /** Options of the fresh answer that is stored about it, if there is one. */
  readonly storedOptions: readonly QuestionOption[] | undefined;
}

/**
 * What would be asked about a record and when, by the functions that the worker plans with. A new record is looked at
 * as it was before we wrote to it.
 */
export function asksOf(policy: Policy, asking: Asking): RecordAsks {
  const { held, window, storedOptions } = asking;
  const { state, record } = held;
  const known = planned(policy, asking);
  const price = priceOf(known, { policy, isMiss: state.outcome?.kind === 'unmatched' });
  const freshMs = freshnessOf(held, policy) * DAY_MS;
  const again = times(price, repeatsInMonth(freshMs));
  const live = () => {
    const isNew = record.createdAtMs >= window.fromMs;
    if (isNew && wasAsked(held, window)) return plus(firstPrice(policy, asking), again);
    const hasRun = (state.outcome?.atMs ?? 0) >= window.fromMs;
    return hasRun && !isServed(known, storedOptions) ? price : NOTHING;
  };
  const horizonMs = window.nowMs + MONTH_DAYS * DAY_MS;
  const isRefreshed = state.staleAtMs !== undefined && state.beforeDeletion === undefined;
  const dueMs = Math.max(state.staleAtMs ?? 0, window.nowMs);
  const count = isRefreshed && dueMs < horizonMs ? 1 + Math.floor((horizonMs - dueMs - 1) / freshMs) : 0;
  return {
    live: live(),
    refresh: times(price, count),
    settled: isRefreshed ? times(price, (MONTH_DAYS * DAY_MS) / freshMs) : NOTHING,
  };
}

function planned(policy: Policy, { held: { record, state }, ownership }: ReadRecord): Plan {
  const wasAnswered = state.answeredAtMs !== undefined;
  return planQuestions({ record, policy, wasAnswered, ...ownership });
}

/** As it came: what holds our own value was blank. */
function firstPrice(policy: Policy, { held, ownership: { isOurs, isWritable } }: ReadRecord): Asked {
  const names = Object.keys(held.record.properties);
  const blank = names.filter((name) => textOf(held.record, name) !== undefined && isOurs(name));
  const properties = { ...held.record.properties, ...Object.fromEntries(blank.map((name) => [name, null])) };
  const plan = planQuestions({ record: { ...held.record, properties }, policy, isWritable });
  return priceOf(plan, { policy, isMiss: held.state.outcome?.kind === 'unmatched' });
}

function wasAsked({ state }: HeldRecord, { fromMs }: Window): boolean {
  if ((state.answeredAtMs ?? 0) >= fromMs) return true;
  return state.outcome?.kind === 'unmatched' && state.outcome.atMs >= fromMs;
}

/** An answer with what would be wanted is stored: a run in between costs nothing. */
function isServed(plan: Plan, storedOptions: readonly QuestionOption[] | undefined): boolean {
  if (plan.kind === 'skip') return true;
  return storedOptions !== undefined && covers(storedOptions, plan.questions[0].options);
}

interface Priced {
  readonly policy: Policy;
  readonly isMiss: boolean;
}

/** A search may tell too little, and its profile is bought too; after no match the next question may be. */
function priceOf(plan: Plan, { policy, isMiss }: Priced): Asked {
  if (plan.kind === 'skip') return NOTHING;
  const { questions, searchDomain } = plan;
  const [first] = questions;
  const miss = (question: Question) => priceOfMiss(question, policy.noMatchCost);
  const misses = questions.reduce((sum, question) => sum + miss(question), 0);
  if (isMiss) return { questions: questions.length, low: misses, high: misses };
  if (searchDomain !== undefined) return { questions: 1, low: RESULT_CREDITS, high: worstCaseOf(plan) };
  return { questions: 1, low: Math.min(priceOfQuestion(first), miss(first)), high: worstCaseOf(plan) };
}

function freshnessOf({ objectType, state }: HeldRecord, { freshness, noMatchRetryDays }: Policy): number {
  if (state.outcome?.kind === 'unmatched') return noMatchRetryDays.at(-1) ?? MONTH_DAYS;
  return objectType === 'contacts' ? freshness.contactsDays : freshness.companiesDays;
}

/** How often a record that comes at any time of the month is asked about anew before it ends, on average. */
function repeatsInMonth(freshMs: number): number {
  const monthMs = MONTH_DAYS * DAY_MS;
  let sum = 0;
  for (let age = freshMs; age < monthMs; age += freshMs) sum += 1 - age / monthMs;
  return sum;
}

export function plus(a: Asked, b: Asked): Asked {
  return { questions: a.questions + b.questions, low: a.low + b.low, high: a.high + b.high };
}

export function times({ questions, low, high }: Asked, count: number): Asked {
  return { questions: questions * count, low: low * count, high: high * count };
}
