import { FORGOTTEN_REASON, keepPerson } from '#shared/privacy';
import type { Question } from '#shared/questions';
import { type RecordState, wasLookedUp } from '#shared/records';
import { isAskedFor, isFresh, ownershipOf, paidFor } from '../memory.ts';
import type { EnrichmentServices, HeldRecord } from '../services.ts';
import { barredBy, endBarred } from './admit-record.ts';
import { type Answered, type Ending, ended } from './answered.ts';
import { type Plan, planQuestions, type SkipReason } from './plan.ts';

/** What may be asked about a record. */
export interface QuestionPlan {
  readonly kind: 'planned';
  readonly held: HeldRecord;
  readonly questions: readonly Question[];
  readonly searchDomain?: string | undefined;
  readonly isPaidFor: (question: Question) => boolean;
}

/** Chooses the questions, unless the record already is what asking would make it. */
export async function planRecord(
  services: EnrichmentServices,
  held: HeldRecord,
): Promise<QuestionPlan | Extract<Answered, { kind: 'ended' }>> {
  if (held.record.id !== held.id) {
    return ended(held, { outcome: 'skipped', reason: 'Merged into another record.' }, false);
  }
  if ((await keepPerson(services, held)) === 'forgotten') {
    return ended(held, { outcome: 'skipped', reason: FORGOTTEN_REASON }, true);
  }
  const rest = leftAlone(services, held);
  if (rest) return ended(held, rest, false);
  const barred = isPaid(held) ? undefined : endBarred(services, held, { isKept: wasEnriched(held.state) });
  if (barred) return barred;
  const plan = planFor(services, held);
  if (plan.kind === 'skip') {
    // It stays what it is in HubSpot's eyes: enriched, and full.
    const isFull = FULL.has(plan.reason) && wasEnriched(held.state);
    return ended(
      held,
      { outcome: isFull ? 'unchanged' : 'skipped', reason: SKIP_REASONS[plan.reason] },
      !isFull,
    );
  }
  return plan;
}

/** No question would fill anything more. */
const FULL: ReadonlySet<SkipReason> = new Set(['nothing-to-fill', 'nothing-to-gain']);

/** Whether a question would be asked about the record as it was read. */
export function isToAsk(services: EnrichmentServices, held: HeldRecord): boolean {
  if (held.record.id !== held.id || leftAlone(services, held)) return false;
  if (!isPaid(held) && barredBy(held, services.clock.now())) return false;
  return planFor(services, held).kind === 'planned';
}

function planFor(
  services: EnrichmentServices,
  held: HeldRecord,
): QuestionPlan | Extract<Plan, { readonly kind: 'skip' }> {
  const { record, state } = held;
  const { policy, maxCredits } = held.admission;
  const isPaidFor = paidFor(services, held);
  const wasAnswered = state.answeredAtMs !== undefined;
  const ownership = ownershipOf(services, held);
  const plan = planQuestions({ record, policy, maxCredits, isPaidFor, wasAnswered, ...ownership });
  if (plan.kind === 'skip') return plan;
  const { questions, searchDomain } = plan;
  return { kind: 'planned', held, questions, searchDomain, isPaidFor };
}

export const SKIP_REASONS: Readonly<Record<SkipReason, string>> = {
  'no-identifier':
    'Nothing to look it up by: no profile URL, business email, name with company domain, or phone.',
  'free-mail-only': 'Only a free-mail address, which tells no company; nothing else to look it up by.',
  'opted-out': 'Opted out of enrichment in HubSpot.',
  'role-mailbox':
    'Only the address of an office or a machine, which is no person; nothing else to look it up by.',
  'nothing-to-gain': 'Nothing that the policy buys can fill what is missing.',
  'above-maximum': 'Looking it up costs more than the rule of the policy allows.',
  'wrong-match':
    'A person said that what is known of it is about somebody else; nothing else to look it up by.',
  'nothing-to-fill': 'Every property that the policy may fill is filled.',
};

/** A run that has an answer was allowed to ask: what was paid for is written, whoever asked for it by now. */
function isPaid({ run }: HeldRecord): boolean {
  return run.answeredQuestion !== undefined;
}

/** Why nothing is asked about a record, whatever could be; `undefined` where it may be asked about. */
function leftAlone(services: EnrichmentServices, held: HeldRecord): Ending | undefined {
  const { run, record, state } = held;
  if (isPaid(held)) return undefined;
  const isOwnAccord = run.purpose !== 'backfill' && run.asked === undefined && !isAskedFor(held);
  // Once a backfill or a person had it looked up, it is kept up to date like any other record.
  const isUntouched = record.createdAtMs < services.installedAtMs && !wasLookedUp(state);
  if (isOwnAccord && isUntouched)
    return {
      outcome: 'skipped',
      reason: 'It existed before the installation. A backfill or a request for this record enriches it.',
      learned: { isOld: true },
    };
  if (!isAskedFor(held) && wasEnriched(state) && isFresh(services, held))
    return { outcome: 'unchanged', reason: 'Enriched already, and nothing about it has changed.' };
  return undefined;
}

/** A record that was deleted and is back is what it was. */
function wasEnriched({ outcome, beforeDeletion }: RecordState): boolean {
  const kind = beforeDeletion ?? outcome?.kind;
  return kind === 'enriched' || kind === 'unchanged';
}
