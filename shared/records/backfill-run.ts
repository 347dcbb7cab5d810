import type { Outcome, RecordState } from './schemas.ts';

/** A backfill's run says how it ended for as long as it is the last one. */
export function backfillEnded(
  { run, backfill }: RecordState,
  {
    outcome,
    learned,
  }: { outcome: Outcome; learned: Partial<Pick<RecordState, 'doubtfulQuestion' | 'rejected'>> },
): Pick<RecordState, 'backfill'> {
  if (!backfill || run?.id !== backfill.runId) return {};
  const isRefused = outcome.kind === 'failed' && learned.doubtfulQuestion === undefined;
  const isDamage = isRefused || (learned.rejected ?? []).length > 0;
  // What is in doubt may be charged, and counts so.
  const credits = learned.doubtfulQuestion === undefined ? outcome.credits : backfill.maxCredits;
  return { backfill: { ...backfill, end: { kind: outcome.kind, credits, isDamage } } };
}
