import { changeRecord, learnOwnership, type RecordState } from '#shared/records';
import type { Decided } from '#shared/review';
import type { EnrichmentServices } from '../services.ts';
import type { UndoServices } from '../undo/plan-undo.ts';
import { type UndoResult, undoRecord } from '../undo/undo.ts';
import type { FindingName } from './acceptance.ts';

/**
 * Carries out a rejection. The record keeps its values, and proposed values of the answer are not written later.
 * HubSpot's statuses no longer show the rejected answer. After an interruption, or if a worker holds the record
 * (`statusReset` is `busy`), the person must reject again.
 */
export async function rejectFinding(
  services: UndoServices & Pick<EnrichmentServices, 'reviews'>,
  { record, kind }: FindingName,
): Promise<Decided & { readonly statusReset?: UndoResult }> {
  const decided = await services.reviews.decide(record, kind, 'rejected');
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
  const { objectType, id } = record;
  const isWrongMatch = kind === 'contradiction' ? true : undefined;
  // No value of the answer was written, so this undo only resets the statuses in HubSpot.
  const request = { objectType, id, isChosen: () => false, isWrongMatch, isRejection: true } as const;
  return { ...decided, statusReset: await undoRecord(services, request) };
}
