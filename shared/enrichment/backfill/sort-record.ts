import type { CrmRecord } from '#shared/crm/crm-record.ts';
import type { Policy } from '#shared/field-policy/policy.ts';
import type { Question } from '#shared/questions/question.ts';
import { priceOfMiss, priceOfQuestion } from '#shared/questions/question.ts';
import type { RecordState } from '#shared/records/schemas.ts';
import { BY } from '../ask/answered.ts';
import { isStored } from '../ask/known-answer.ts';
import { type Plan, planQuestions } from '../ask/plan.ts';
import { SKIP_REASONS } from '../ask/plan-record.ts';
import { isFresh, ownershipOf } from '../memory.ts';
import type { EnrichmentServices, HeldRecord } from '../services.ts';
import type { Kind } from './transitions.ts';

export type SortedRecord =
  | { readonly kind: 'member'; readonly of: Omit<Kind, 'prior'> }
  | { readonly kind: 'left-out'; readonly reason: string };

/** Whether a backfill would ask about a record, what, and at what price; otherwise why not. */
export async function sortRecord(
  services: EnrichmentServices,
  held: Omit<HeldRecord, 'run' | 'requested'>,
): Promise<SortedRecord> {
  const { policy } = services;
  const { record, state } = held;
  if (state.forgottenAtMs !== undefined) return leftOut('Its person asked to be forgotten.');
  if (state.run) return leftOut('Being worked on already.');
  if (isUpToDate(services, { record, state })) return leftOut('Enriched already, and not stale.');
  const known = { ...held, run: RUN, requested: false };
  const wasAnswered = state.answeredAtMs !== undefined;
  const plan = planQuestions({ record, policy, wasAnswered, ...ownershipOf(services, known) });
  if (plan.kind === 'skip') return leftOut(SKIP_REASONS[plan.reason]);
  const [first] = plan.questions;
  if (await isStored(services, first)) return member(STORED);
  return member(priced(plan, policy));
}

function priced({ questions, searchDomain }: Extract<Plan, { kind: 'ask' }>, { noMatchCost }: Policy) {
  const [{ operation, options }, ...others] = questions;
  const name = [BY[operation], ...options.map((option) => `with ${option}`)].join(' ');
  const further = others.map((question) => `, else ${BY[question.operation]}`);
  const sum = (of: (question: Question) => number) => questions.reduce((all, one) => all + of(one), 0);
  const asked = {
    name: `${name}${further.join('')}`,
    hitCredits: priceOfQuestion(questions[0]),
    missCredits: sum((question) => priceOfMiss(question, noMatchCost)),
    maxCredits: sum(priceOfQuestion),
  };
  return searchDomain === undefined ? asked : searchBefore(asked);
}

/** One result of a search is a credit, none is nothing; what it does not tell is asked for as without it. */
function searchBefore(questions: Omit<Kind, 'prior'>): Omit<Kind, 'prior'> {
  const { name, maxCredits } = questions;
  const search = `${BY.companiesByDomain}, else ${name}`;
  return { ...questions, name: search, hitCredits: RESULT, maxCredits: RESULT + maxCredits };
}

const RESULT = 1;

/** Of records whose answer is there already: they cost nothing, now or later. */
const STORED = { name: 'answered already', hitCredits: 0, missCredits: 0, maxCredits: 0 };

const RUN = { id: 'quote', purpose: 'backfill', openedAtMs: 0, credits: 0 } as const;

function isUpToDate(
  services: EnrichmentServices,
  known: { readonly record: CrmRecord; readonly state: RecordState },
): boolean {
  const { outcome } = known.state;
  return (outcome?.kind === 'enriched' || outcome?.kind === 'unchanged') && isFresh(services, known);
}

function leftOut(reason: string): SortedRecord {
  return { kind: 'left-out', reason };
}

function member(of: Omit<Kind, 'prior'>): SortedRecord {
  return { kind: 'member', of };
}
