import { type Clock, HOUR_MS } from '#shared/kernel';
import type { VersionedItems } from '#shared/versioned-items';
import type { RecordItems } from './change-record.ts';
import { recordPlace, WAITING_PLACES, waitsInTurn } from './record-state.ts';
import type { WaitingCount, WaitingSum } from './rounds/schemas.ts';
import { goRound } from './rounds.ts';
import type { RecordState } from './schemas.ts';
import { waitingCountKind } from './stored-kinds.ts';
import { waitingCause } from './waiting-causes.ts';

const NOBODY: WaitingSum = { records: {}, reasons: {}, sinceMs: {} };

export interface CountServices {
  readonly records: Pick<RecordItems, 'page'>;
  readonly items: VersionedItems<WaitingCount>;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/** Counts waiting records, in parts, a new pass each hour. */
export async function countWaiting(services: CountServices): Promise<void> {
  const { clock } = services;
  await goRound(services, {
    key: waitingCountKind.key(),
    kind: 'count of waiting records',
    places: WAITING_PLACES,
    everyMs: HOUR_MS,
    empty: NOBODY,
    add: addWaiting,
    keep: (round, before): WaitingCount => {
      const last = round.at ? before?.last : { ...round.sum, atMs: clock.now() };
      return { ...round, ...(last && { last }) };
    },
  });
}

/** What the last round has found; nothing before the first one has ended. */
export async function lastWaiting(
  items: Pick<VersionedItems<WaitingCount>, 'read'>,
): Promise<WaitingCount['last']> {
  return (await items.read(waitingCountKind.key()))?.value.last;
}

function addWaiting({ records, reasons, sinceMs }: WaitingSum, state: RecordState): WaitingSum {
  const reason = timedReason(state);
  const counted = {
    records: oneMore(records, recordPlace(state).partition),
    reasons: reason === undefined ? reasons : oneMore(reasons, reason),
  };
  const { waitsFor } = state.run ?? {};
  if (!waitsFor || waitsInTurn(state)) return { ...counted, sinceMs };
  const { whom, sinceMs: since } = waitsFor;
  const earliest = Math.min(since, sinceMs[whom] ?? Number.MAX_SAFE_INTEGER);
  return { ...counted, sinceMs: { ...sinceMs, [whom]: earliest } };
}

function oneMore(counts: Readonly<Record<string, number>>, key: string): Record<string, number> {
  return { ...counts, [key]: (counts[key] ?? 0) + 1 };
}

/** Why a record waits for a time, and not for its turn. HubSpot refuses writes to one object type at a time. */
export function timedReason(state: RecordState): string | undefined {
  const { waiting, objectType, claim } = state;
  if (!waiting || claim || waitsInTurn(state)) return undefined;
  const isRefusal = waitingCause(waiting.reason).waitsFor === 'refusal';
  return isRefusal ? `${waiting.reason} ${objectType}` : waiting.reason;
}
