import { changeRecord, learnOwnership, type RecordState } from '#shared/records';
import type { Decided } from '#shared/review';
import type { EnrichmentServices } from '../services.ts';
import type { FindingName } from './acceptance.ts';

/**
 * A person wants it left as it is: what was proposed is not written either when the policy would, until another answer
 * comes. Cut off in between, it is to be rejected once more.
 */
export async function rejectFinding(
  services: Pick<EnrichmentServices, 'reviews' | 'records' | 'clock'>,
  { record, kind }: FindingName,
): Promise<Decided> {
  const decided = await services.reviews.decide(record, kind, 'rejected');
  if (decided.kind === 'refused' || kind !== 'proposal') return decided;
  const { answer, properties = [] } = decided.finding;
  if (!answer) return decided;
  const { questionKey, askedAtMs } = answer;
  const verdict = { questionKey, askedAtMs, declined: properties };
  await changeRecord(services, record, (state): { state?: RecordState } =>
    state.forgottenAtMs === undefined ? { state: learnOwnership(state, { verdicts: [verdict] }) } : {},
  );
  return decided;
}
