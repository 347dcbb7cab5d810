import { type Clock, HOUR_MS } from '#shared/kernel';
import type { VersionedItems } from '#shared/store';
import type { RecordItems } from './change-record.ts';
import type { WaitingCount, WaitingSum } from './passes/schemas.ts';
import { continuePass } from './passes.ts';
import { isQueued, recordPlace, WAITING_PLACES } from './record-state.ts';
import type { RecordState } from './schemas.ts';
import { waitingCountKind } from './stored-kinds.ts';
import { waitNow } from './wait-now.ts';
import { waitingCause } from './waiting-causes.ts';

const NO_WAITING: WaitingSum = { records: {}, reasons: {}, sinceMs: {} };

export interface CountServices {
  readonly records: Pick<RecordItems, 'page'>;
  readonly items: VersionedItems<WaitingCount>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/** Counts waiting records in parts. A new pass starts each hour. */
export async function countWaiting(services: CountServices): Promise<void> {
  const { clock } = services;
  await continuePass(services, {
    key: waitingCountKind.key(),
    kind: 'count of waiting records',
    places: WAITING_PLACES,
    everyMs: HOUR_MS,
    empty: NO_WAITING,
    add: addWaiting,
    keep: (pass, before): WaitingCount => {
      const last = pass.at ? before?.last : { ...pass.sum, atMs: clock.now() };
      return { ...pass, ...(last && { last }) };
    },
  });
}

/** Returns the result of the last complete pass; `undefined` before the first pass has ended. */
export async function lastWaiting(
  items: Pick<VersionedItems<WaitingCount>, 'read'>,
): Promise<WaitingCount['last']> {
  return (await items.read(waitingCountKind.key()))?.value.last;
}

function addWaiting({ records, reasons, sinceMs }: WaitingSum, state: RecordState): WaitingSum {
  const reason = timedReason(state);
  const counted = {
    records: incremented(records, recordPlace(state).partition),
    reasons: reason === undefined ? reasons : incremented(reasons, reason),
  };
  const { waitsFor } = state.run ?? {};
  if (!waitsFor || isQueued(state)) return { ...counted, sinceMs };
  const { whom, sinceMs: since } = waitsFor;
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
