import { type CrmRecord, nameOfKey, recordKey } from '#shared/crm';
import { textOf } from '#shared/identity';
import { identifiersOfRecord } from '#shared/privacy';
import { type Question, readLinks } from '#shared/questions';
import { because, type RecordState, wasLookedUp } from '#shared/records';
import { isFresh, isRequestedByPerson, ownershipOf, paidFor, wasUndone } from '../memory.ts';
import type { ClaimedRecord, EnrichmentServices } from '../services.ts';
import { endBarred } from './admit-record.ts';
import { type EndedAnswer, type Ending, ended } from './answered.ts';
import { correctedRecord } from './former-identity.ts';
import { type Plan, type PlanInput, planQuestions, type SkipReason } from './plan.ts';

/** Questions that may be asked for a record. */
export interface QuestionPlan {
  readonly kind: 'planned';
  readonly held: ClaimedRecord;
  readonly questions: readonly Question[];
  readonly isPaidFor: (question: Question) => boolean;
}

/** Chooses the questions; ends the record if a lookup would change nothing. */
export function planRecord(
  services: Pick<EnrichmentServices, 'policy' | 'digest' | 'clock' | 'installedAtMs'>,
  held: ClaimedRecord,
): QuestionPlan | EndedAnswer {
  if (held.record.id !== held.id)
    return ended(held, { outcome: 'skipped', reason: because('merged') }, false);
  const ending = endWithoutQuestion(services, held);
  if (ending) return ended(held, ending, false);
  // If a rule cannot be read, even a paid answer waits.
  const isDecided = hasPaidAnswer(held) && held.admission.missing === undefined;
  const barred = isDecided ? undefined : endBarred(services, held, { isKept: wasEnriched(held.state) });
  if (barred) return barred;
  const isPaidFor = paidFor(services, held);
  return planOf(held, planFromRecord(services, held, isPaidFor), isPaidFor);
}

function planOf(
  held: ClaimedRecord,
  plan: Plan,
  isPaidFor: QuestionPlan['isPaidFor'],
): QuestionPlan | EndedAnswer {
  if (plan.kind === 'skip') {
    // If an enriched record is full, it keeps its status in HubSpot.
    const isFull = FULL.has(plan.reason) && wasEnriched(held.state);
    const outcome = isFull ? 'unchanged' : 'skipped';
    return ended(held, { outcome, reason: because(plan.reason) }, !isFull);
  }
  return { kind: 'planned', held, questions: plan.questions, isPaidFor };
}

/** Repeats the plan without buying an address that another contact of the same person has. */
export async function withoutTakenAddress(
  services: EnrichmentServices,
  plan: QuestionPlan,
  others: readonly string[],
): Promise<QuestionPlan | EndedAnswer> {
  const { held, isPaidFor } = plan;
  const input = planInputOf(services, held, isPaidFor);
  return planOf(held, await planPurchase(services, input, others), isPaidFor);
}

/** The property whose values HubSpot keeps unique among contacts. */
const UNIQUE = 'email';

/** Plans the questions. Buys no address for `email` if another contact of the same person has one. */
export async function planPurchase(
  services: Pick<EnrichmentServices, 'forgetting' | 'digest' | 'crm'>,
  input: PlanInput,
  known?: readonly string[],
): Promise<Plan> {
  const plan = planQuestions(input);
  const isBought = plan.kind === 'ask' && plan.questions.some(({ options }) => options.includes('email'));
  const others = isBought ? (known ?? (await otherRecordsOf(services, input.record))) : [];
  if (!(await isAddressTaken(services, input.record, others))) return plan;
  const { fields } = input.policy;
  const otherRules = fields.contacts.filter(({ property }) => property !== UNIQUE);
  const policy = { ...input.policy, fields: { ...fields, contacts: otherRules } };
  const planWithoutAddress = planQuestions({ ...input, policy });
  return planWithoutAddress.kind === 'skip' ? { kind: 'skip', reason: 'address-taken' } : planWithoutAddress;
}

/** If HubSpot does not return a contact now, it counts as one with an address. This never costs more. */
async function isAddressTaken(
  { crm }: Pick<EnrichmentServices, 'crm'>,
  record: CrmRecord,
  others: readonly string[],
): Promise<boolean> {
  const ids = new Set(others.flatMap((key) => nameOfKey(key)?.id ?? []));
  if (ids.size === 0) return false;
  const { records, failed } = await crm.read({ objectType: 'contacts', ids: [...ids], properties: [UNIQUE] });
  const isTaken = [...records.values()].some(({ id, ...other }) => id !== record.id && textOf(other, UNIQUE));
  return isTaken || failed.size > 0;
}

/** Reads the keys of the other records with an address or a profile of this record. */
export async function otherRecordsOf(
  { forgetting, digest }: Pick<EnrichmentServices, 'forgetting' | 'digest'>,
  record: CrmRecord,
): Promise<readonly string[]> {
  const { sure } = identifiersOfRecord(record, digest);
  const linked = await Promise.all(sure.map((key) => readLinks(forgetting, 'records', key)));
  return [...new Set(linked.flat())].filter((key) => key !== recordKey(record));
}

/** Plans the questions about a record, without reading other contacts. */
export function planFromRecord(...input: Parameters<typeof planInputOf>): Plan {
  return planQuestions(planInputOf(...input));
}

/** Returns the facts from which questions are chosen. Our values of a former person or company count as blank. */
export function planInputOf(
  services: Pick<EnrichmentServices, 'digest' | 'policy'>,
  held: ClaimedRecord,
  isPaidFor?: (question: Question) => boolean,
): PlanInput {
  const { policy, maxCredits } = held.admission;
  const ownership = ownershipOf(services, held);
  const corrected = correctedRecord(services, held);
  const isCorrected = corrected !== undefined && corrected.identity !== 'same';
  const isBlank = (property: string) => textOf(held.record, property) === undefined;
  return {
    ...ownership,
    policy,
    maxCredits,
    isPaidFor,
    record: isCorrected ? corrected.given : held.record,
    isClosed: (property) => isBlank(property) && ownership.isClosed(property),
  };
}

/** Reasons that mean that no question can fill more. An enriched record then keeps its outcome. */
const FULL: ReadonlySet<SkipReason> = new Set([
  ...(['nothing-to-fill', 'nothing-to-gain', 'above-maximum', 'address-taken'] as const),
]);

/** A paid answer is written whatever the run's current purpose is. */
function hasPaidAnswer({ run }: ClaimedRecord): boolean {
  return run.answeredQuestion !== undefined;
}

/** Returns the ending of a record that needs no question; `undefined` if a question can be asked. */
function endWithoutQuestion(
  services: Parameters<typeof planRecord>[0],
  held: ClaimedRecord,
): Ending | undefined {
  const { run, record, state } = held;
  if (hasPaidAnswer(held)) return undefined;
  const isAutomatic = run.purpose !== 'backfill' && run.asked === undefined && !held.requested;
  // An old record is kept up to date like any other after a backfill or a person's request has looked it up.
  const isUntouched = record.createdAtMs < services.installedAtMs && !wasLookedUp(state);
  if (isAutomatic && isUntouched)
    return {
      outcome: 'skipped',
      reason: because('older-than-installation'),
      learned: { isOld: true },
    };
  if (held.requested || isRequestedByPerson(held) || !isFresh(services, held)) return undefined;
  if (wasEnriched(state)) return { outcome: 'unchanged', reason: because('up-to-date') };
  if (state.outcome && wasUndone(state))
    return { outcome: state.outcome.kind, reason: because('undone-before') };
  return undefined;
}

/** Whether the record is enriched. A restored record keeps its outcome from before the deletion. */
export function wasEnriched({ outcome, beforeDeletion }: RecordState): boolean {
  const kind = beforeDeletion ?? outcome?.kind;
  return kind === 'enriched' || kind === 'unchanged';
}
