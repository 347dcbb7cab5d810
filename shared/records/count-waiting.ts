import { HOUR_MS } from '#shared/kernel';
import { continuePass, type PassServices } from './passes.ts';
import { isQueued, RUNNING_PLACES, recordPlace, WAITING_PLACES } from './record-state.ts';
import type { RecordState } from './schemas.ts';
import type { WaitingCount, WaitingSum } from './status/schemas.ts';
import { type StatusItems, statusKind } from './stored-kinds.ts';
import { waitNow } from './wait-now.ts';
import { waitingCause } from './waiting-causes.ts';

const NO_WAITING: WaitingSum = { records: {}, reasons: {}, sinceMs: {} };

/** Counts waiting records in parts. A new pass starts each hour. A record that a worker retries goes on waiting. */
export async function countWaiting(services: PassServices): Promise<void> {
  const { clock } = services;
  await continuePass<WaitingSum, WaitingCount>(services, {
    name: 'waiting',
    stored: ({ waiting }) => waiting,
    places: [...WAITING_PLACES, ...RUNNING_PLACES],
    everyMs: HOUR_MS,
    empty: NO_WAITING,
    add: addWaiting,
    keep: (pass, before) => {
      const last = pass.at ? before?.last : { ...pass.sum, atMs: clock.now() };
      return { waiting: { ...pass, ...(last && { last }) } };
    },
  });
}

/** Returns the result of the last complete pass; `undefined` before the first pass has ended. */
export async function lastWaiting(status: Pick<StatusItems, 'read'>): Promise<WaitingCount['last']> {
  return (await status.read(statusKind.key('waiting')))?.value.waiting?.last;
}

function addWaiting({ records, reasons, sinceMs }: WaitingSum, state: RecordState): WaitingSum {
  const { claim, run } = state;
  const reason = timedReason(state);
  const counted = {
    records: claim ? records : incremented(records, recordPlace(state).partition),
    reasons: reason === undefined ? reasons : incremented(reasons, reason),
  };
  if (!run?.waitsFor || isQueued(state)) return { ...counted, sinceMs };
  const { whom, sinceMs: since } = run.waitsFor;
  const earliest = Math.min(since, sinceMs[whom] ?? Number.MAX_SAFE_INTEGER);
  return { ...counted, sinceMs: { ...sinceMs, [whom]: earliest } };
}

function incremented(counts: Readonly<Record<string, number>>, key: string): Record<string, number> {
  return { ...counts, [key]: (counts[key] ?? 0) + 1 };
}

/**
 * Returns the wait reason of a record with a due time; `undefined` for a queued record. After a refusal, the reason
 * includes the object type, because HubSpot refuses writes by type.
 * @param waiting the wait as it is now. By default, it is unknown whether a person has stopped spending.
 */
export function timedReason(state: RecordState, waiting = waitNow(state, undefined)): string | undefined {
  const { objectType, claim, run } = state;
  if (!waiting || claim || isQueued({ run, waiting })) return undefined;
  const isRefusal = waitingCause(waiting.reason).waitsFor === 'refusal';
  return isRefusal ? `${waiting.reason} ${objectType}` : waiting.reason;
}
