import { LANES, recordKey } from '#shared/crm';
import type { Backfill } from '#shared/enrichment';
import { counted, SECOND_MS } from '#shared/kernel';
import { backfillRunOf, type RecordState, recordKind } from '#shared/records';
import { WORKER_TIMEOUT_MS } from '../../../local/system.ts';
import type { Connection } from '../../connection/connection.ts';

/** Requests that may still be charged after a backfill was stopped or paused. */
export interface InFlight {
  readonly requests: number;
  readonly maxCredits: number;
}

/**
 * Reads the open reservations. Call it after the stop is stored. A worker reserves credits before it checks whether
 * the backfill continues, so every request in flight has a reservation.
 */
export async function inFlightOf(
  { services }: Connection,
  { scope: { objectType }, outstanding }: Backfill,
): Promise<InFlight> {
  const records = new Set(outstanding.map(({ id }) => recordKey({ objectType, id })));
  const open = (await services.ledger.openReservations()).filter(
    ({ purpose, state, record = '' }) => purpose === 'backfill' && state === 'pending' && records.has(record),
  );
  return {
    requests: open.length,
    maxCredits: open.reduce((sum, { amountCredits }) => sum + amountCredits, 0),
  };
}

export function inFlightWords({ requests, maxCredits }: InFlight): string {
  if (requests === 0) return 'No request is in flight: nothing more will be charged.';
  const have = requests === 1 ? '1 request is in flight: it' : `${requests} requests are in flight: they`;
  return `${have} may still cost at most ${counted(maxCredits, 'credit')}. Nothing else will be charged.`;
}

const POLL_MS = SECOND_MS;

/**
 * Waits until no worker has a record of a stopped backfill or policy apply.
 * @returns the number of records that workers still have when the wait ends.
 */
export async function waitUntilWritten(
  { services, clock }: Connection,
  { id, signal }: { readonly id: string; readonly signal: AbortSignal | undefined },
): Promise<number> {
  const endsAtMs = clock.now() + WORKER_TIMEOUT_MS;
  for (;;) {
    const running = await recordsOf(services, { id, place: 'running' });
    const claimed = running.filter(({ claim }) => (claim?.untilMs ?? 0) > clock.now());
    if (claimed.length > 0 && clock.now() < endsAtMs) {
      signal?.throwIfAborted();
      await clock.sleep(POLL_MS);
      continue;
    }
    const waiting = await recordsOf(services, { id, place: 'waiting' });
    return claimed.length + waiting.filter(({ run }) => run?.answeredQuestion !== undefined).length;
  }
}

async function recordsOf(
  { records }: Connection['services'],
  { id, place }: { readonly id: string; readonly place: 'running' | 'waiting' },
): Promise<readonly RecordState[]> {
  const lists = await Promise.all(
    LANES.map((lane) => records.list({ partition: recordKind.partition(`${place}-${lane}`) })),
  );
  return lists.flat().filter((state) => state.run && backfillRunOf(state, state.run.id)?.id === id);
}
