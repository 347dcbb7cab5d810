import { JOB_CHANGE_PROPERTIES } from '#shared/field-policy';
import { changeRecord, type JournalEntry, learnOwnership, type RecordState } from '#shared/records';
import { type RequestServices, rejectWrongMatch } from '#shared/requests';
import type { Decided, Finding } from '#shared/review';
import { type TakeBackServices, type UndoResult, undoRecord } from '#shared/take-back';
import type { FindingName } from './accept.ts';

interface Rejection extends FindingName {
  /** A person says that the answer is about another person or company. Rejecting a contradiction always says so. */
  readonly isOtherPerson?: boolean | undefined;
}

/**
 * Carries out a rejection. The record keeps its values, and proposed values of the answer are not written later. The
 * job-change properties of the answer are undone. If the answer is about another person or company, all its values are
 * undone, and its price is listed as a claim, unless a contradicting answer fits what was looked up. HubSpot's
 * statuses no longer show the rejected answer. After an interruption, or if a worker holds the record (`statusReset` is
 * `busy`), the finding must be rejected again.
 */
export async function rejectFinding(
  services: TakeBackServices & Pick<RequestServices, 'reviews' | 'forgetting' | 'requests'>,
  { record, kind, decidedBy, isOtherPerson = kind === 'contradiction' }: Rejection,
): Promise<Decided & { readonly statusReset?: UndoResult }> {
  const decided = await services.reviews.decide(record, kind, 'rejected', decidedBy);
  if (decided.kind === 'refused') return decided;
  const rejection = { record, decidedBy, isOtherPerson };
  const statusReset = await carryOutRejection(services, decided.finding, rejection);
  if (statusReset !== 'busy') await services.reviews.decide(record, kind, 'done');
  return { ...decided, ...(statusReset && { statusReset }) };
}

/** @returns the undo's result; `undefined` if the finding is not about the values of an answer. */
async function carryOutRejection(
  services: TakeBackServices & Pick<RequestServices, 'forgetting' | 'requests'>,
  { kind, answer, properties = [] }: Finding,
  { record, decidedBy, isOtherPerson }: Pick<Rejection, 'record' | 'decidedBy' | 'isOtherPerson'>,
): Promise<UndoResult | undefined> {
  if (!answer || kind === 'duplicate' || kind === 'association') return undefined;
  const { questionKey, askedAtMs, operation } = answer;
  if (kind === 'proposal' || kind === 'job-change') {
    const declined = kind === 'proposal' ? properties : JOB_CHANGE_PROPERTIES;
    const verdict = { questionKey, askedAtMs, declined };
    await changeRecord(services, record, (state): { state?: RecordState } =>
      state.forgottenAtMs === undefined ? { state: learnOwnership(state, { verdicts: [verdict] }) } : {},
    );
  }
  const question = { key: questionKey, askedAtMs, operation };
  if (isOtherPerson) await rejectWrongMatch(services, record, question, kind === 'contradiction');
  const { objectType, id } = record;
  const isChosen = ({ question }: JournalEntry, property: string) =>
    (isOtherPerson === true || (kind === 'job-change' && JOB_CHANGE_PROPERTIES.includes(property))) &&
    question?.key === questionKey &&
    question.askedAtMs === askedAtMs;
  const request = {
    objectType,
    id,
    isChosen,
    isWrongMatch: isOtherPerson || undefined,
    isRejection: true,
    askedBy: decidedBy,
  } as const;
  return undoRecord(services, request);
}
