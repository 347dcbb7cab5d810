import { changeRecord, learnOwnership, type RecordState } from '#shared/records';
import type { Decided } from '#shared/review';
import type { EnrichmentServices } from '../services.ts';
import type { UndoServices } from '../undo/plan-undo.ts';
import { type UndoResult, undoRecord } from '../undo/undo.ts';
import type { FindingName } from './acceptance.ts';

/**
 * A person wants the record left as it is. Proposed values of the answer are not written later either. HubSpot no longer
 * calls the record enriched, up to date or waiting because of the answer. Cut off in between, or while a worker holds the
 * record (`told`: `busy`), it is to be rejected once more.
 */
export async function rejectFinding(
  services: UndoServices & Pick<EnrichmentServices, 'reviews'>,
  { record, kind }: FindingName,
): Promise<Decided & { readonly told?: UndoResult }> {
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
  // Nothing of the answer was written: only what HubSpot says of the record is set back.
  const request = { objectType, id, isChosen: () => false, isWrongMatch, isRejection: true } as const;
  return { ...decided, told: await undoRecord(services, request) };
}
