import type { RecordState } from './schemas.ts';
import { type Opening, openWaiting } from './transitions.ts';

interface RefreshOpening extends Pick<Opening, 'runId' | 'nowMs'> {
  /** Highest price of the run, in credits, as the budget or a person allowed it. */
  readonly maxCredits: number;
}

/** Opens a refresh run with a price limit, and queues it. */
export function openForRefresh(state: RecordState, opening: RefreshOpening): RecordState {
  const asked = { purpose: 'refresh', askedBy: 'schedule' } as const;
  return openWaiting(state, { ...opening, ...asked, untilMs: opening.nowMs, reason: 'queued' });
}
