import { mapInChunks } from '#shared/kernel';
import type { BreakerState } from '#shared/questions';
import {
  type RecordItems,
  type RecordState,
  recordKind,
  type WaitingReason,
  waitingCause,
  waitingWords,
  waitNow,
} from '#shared/records';
import type { Backfill } from './schemas.ts';
import { LIVING, withHoldReason } from './transitions.ts';

const BY_PERSON = 'stopped-by-person' satisfies WaitingReason;
/** Stored without the person's own reason, so that a reader recognises the stop. */
export const STOPPED_REASON = waitingWords(BY_PERSON).why;

/** Returns why a record waits now; `undefined` if it does not wait, or if the next sweeps continue it. */
export function reasonOfWait(state: RecordState, isStoppedByPerson: boolean): string | undefined {
  const waiting = waitNow(state, isStoppedByPerson);
  if (!waiting || waitingCause(waiting.reason).isInProgress) return undefined;
  const { why } = waitingWords(waiting.reason);
  return waiting.reason === BY_PERSON ? why : (waiting.detail ?? why);
}

/** Returns the most frequent reason, if every started record waits. */
export function reasonOfAll(
  { outstanding }: Pick<Backfill, 'outstanding'>,
  reasons: readonly string[],
): string | undefined {
  if (reasons.length === 0 || reasons.length < outstanding.length) return undefined;
  const counts = Map.groupBy(reasons, (reason) => reason);
  return [...counts].sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

/**
 * Returns the backfill with the reason why it stands still, as it is now. The stored reason is from the last sweep, and
 * a person may have stopped or resumed spending since.
 * @param stopped the present stop by a person, if any.
 */
export async function asOfNow(
  { records }: { readonly records: Pick<RecordItems, 'read'> },
  backfill: Backfill,
  stopped: BreakerState['stopped'],
): Promise<Backfill> {
  const { state, holding, outstanding, scope } = backfill;
  if (!stopped)
    return holding?.reason === STOPPED_REASON
      ? withHoldReason(backfill, undefined, holding.sinceMs)
      : backfill;
  if (!LIVING.has(state) || outstanding.length === 0) return backfill;
  const { objectType } = scope;
  const read = await mapInChunks(outstanding, async ({ id, runId }) => {
    const known = (await records.read(recordKind.key({ objectType, id })))?.value;
    return known?.run?.id === runId ? known : undefined;
  });
  const states = read.flatMap((known) => known ?? []);
  const reason = reasonOfAll(
    backfill,
    states.flatMap((known) => reasonOfWait(known, true) ?? []),
  );
  if (reason === undefined) return backfill;
  const openedMs = states.map(({ run }) => run?.openedAtMs ?? stopped.sinceMs);
  return withHoldReason(backfill, reason, Math.max(stopped.sinceMs, Math.min(...openedMs)));
}
