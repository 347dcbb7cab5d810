import type { Found } from '#shared/review/transitions.ts';
import type { EnrichmentServices, Held, RunOutcome } from './services.ts';

export interface Looked {
  readonly held: Held;
  readonly runOutcome: RunOutcome;
  /** What a look at an answer has found; nothing where no answer was looked at. */
  readonly findings?: readonly Found[] | undefined;
}

/**
 * Puts up for review what was found about a record, before its run is settled: cut off in between, it is found again.
 * A record about which there is and was nothing to decide costs nothing.
 */
export async function putUp(
  { reviews }: Pick<EnrichmentServices, 'reviews'>,
  { held, runOutcome, findings }: Looked,
): Promise<RunOutcome> {
  const { hasReview = false } = held.state;
  if (runOutcome.learned.isGone && hasReview) await reviews.gone(held);
  if (findings === undefined || (findings.length === 0 && !hasReview)) return runOutcome;
  const undecided = await reviews.looked(held, findings);
  return { ...runOutcome, learned: { ...runOutcome.learned, hasReview: undecided > 0 } };
}
