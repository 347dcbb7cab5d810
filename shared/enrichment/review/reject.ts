import type { RecordName } from '#shared/crm';
import { because, changeRecord, learnOwnership, type RecordState } from '#shared/records';
import type { Decided, Finding } from '#shared/review';
import { subjectKeys } from '../ask/known-answer.ts';
import type { EnrichmentServices } from '../services.ts';
import type { UndoServices } from '../undo/plan-undo.ts';
import { type UndoResult, undoRecord } from '../undo/undo.ts';
import type { FindingName } from './acceptance.ts';
import { answerOfFinding } from './stored-answer.ts';

interface RejectedFinding extends FindingName {
  /** Whether the answer is about another person or company. A contradiction always is. */
  readonly isOtherPerson?: boolean | undefined;
}

/**
 * Carries out a rejection. The record keeps its values, and proposed values of the answer are not written later.
 * HubSpot's statuses no longer show the rejected answer. After an interruption, or if a worker holds the record
 * (`statusReset` is `busy`), the person must reject again.
 */
export async function rejectFinding(
  services: UndoServices & Pick<EnrichmentServices, 'reviews' | 'forgetting'>,
  { record, kind, decidedBy, isOtherPerson = kind === 'contradiction' }: RejectedFinding,
): Promise<Decided & { readonly statusReset?: UndoResult }> {
  const decided = await services.reviews.decide(record, kind, 'rejected', decidedBy);
  if (decided.kind === 'refused') return decided;
  const { answer, properties = [] } = decided.finding;
  if (!answer || kind === 'duplicate' || kind === 'association') return decided;
  if (kind === 'proposal') {
    const { questionKey, askedAtMs } = answer;
    const verdict = { questionKey, askedAtMs, declined: properties };
    await changeRecord(services, record, (state): { state?: RecordState } =>
      state.forgottenAtMs === undefined ? { state: learnOwnership(state, { verdicts: [verdict] }) } : {},
    );
  }
  if (isOtherPerson) await rememberRejected(services, record, answer);
  const { objectType, id } = record;
  const isWrongMatch = isOtherPerson ? true : undefined;
  // No value of the answer was written, so this undo only resets the statuses in HubSpot.
  const request = { objectType, id, isChosen: () => false, isWrongMatch, isRejection: true } as const;
  return { ...decided, statusReset: await undoRecord(services, request) };
}

/** Remembers the person or company of the answer, so that no other answer about them is written to the record. */
async function rememberRejected(
  services: Pick<EnrichmentServices, 'records' | 'clock' | 'forgetting' | 'digest'>,
  record: RecordName,
  answer: NonNullable<Finding['answer']>,
): Promise<void> {
  const { questionKey, askedAtMs, operation } = answer;
  const found = await answerOfFinding(services, answer);
  const about = found && subjectKeys(services.digest, { operation, record: found.record });
  const rejected = { reason: because('rejected-by-person'), byPerson: true };
  const verdict = { questionKey, askedAtMs, rejected, ...(about && { about }) };
  await changeRecord(services, record, (state): { state?: RecordState } =>
    state.forgottenAtMs === undefined ? { state: learnOwnership(state, { verdicts: [verdict] }) } : {},
  );
}
