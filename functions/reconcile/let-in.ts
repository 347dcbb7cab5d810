import { type Lane, laneOf } from '#shared/crm/lane.ts';
import { PURPOSES, type Purpose } from '#shared/crm/purpose.ts';
import { changeRecord } from '#shared/records/change-record.ts';
import { placeInTurn } from '#shared/records/record-state.ts';
import type { RecordState } from '#shared/records/schemas.ts';
import { letInUntil, putBack } from '#shared/records/transitions.ts';
import type { Backlog } from './backlog.ts';
import { messageOf, REQUEUE_AFTER_MS } from './requeue.ts';
import type { ReconcileServices } from './services.ts';

/** Of each ten places one is for who waits longest, so that nobody waits for ever. */
const PLACES_FOR_THE_OLDEST = 0.1;
/** So many are looked at from either end, to find some whom the budget has not refused already. */
const LOOKED_AT = 200;

/**
 * Queues what waits for its turn: by purpose, the most urgent first; of one purpose the newest first; only as many as
 * the queues have room for and the budgets may pay for. Whoever finds them used up all the same waits again.
 */
export async function letIn(services: ReconcileServices, backlog: Backlog): Promise<number> {
  const room = new Map(backlog.room);
  let count = 0;
  for (const purpose of PURPOSES) {
    const lane = laneOf(purpose);
    const places = Math.min(room.get(lane) ?? 0, await affordable(services, purpose));
    if (places === 0 || (await services.crm.pausedUntil(lane)) !== undefined) continue;
    const chosen = await nextInTurn(services, purpose, places);
    const decided = await Promise.all(chosen.map((record) => take(services, record)));
    const taken = decided.flatMap(({ state }) => (state ? [state] : []));
    await sendOrPutBack(services, lane, taken);
    room.set(lane, (room.get(lane) ?? 0) - taken.length);
    count += taken.length;
  }
  return count;
}

/** So many could be asked about if each cost no more than the cheapest question. */
async function affordable(
  { questions, cheapestCredits }: ReconcileServices,
  purpose: Purpose,
): Promise<number> {
  return Math.max(0, Math.floor((await questions.ledger.left(purpose)) / cheapestCredits));
}

async function nextInTurn(
  { records, clock }: ReconcileServices,
  purpose: Purpose,
  places: number,
): Promise<readonly RecordState[]> {
  const nowMs = clock.now();
  const query = { partition: placeInTurn(purpose), limit: Math.max(places, LOOKED_AT) };
  const oldest = await records.list(query);
  const newest = await records.list({ ...query, newestFirst: true });
  const forOldest = Math.ceil(places * PLACES_FOR_THE_OLDEST);
  // Whoever costs more than the day has left does not keep those out who cost less.
  const isRefused = ({ waiting }: RecordState) => waiting?.reason === 'budget' && waiting.untilMs > nowMs;
  const first = [
    ...oldest.filter((state) => !isRefused(state)).slice(0, forOldest),
    ...newest.filter((state) => !isRefused(state)),
  ];
  const byId = new Map([...first, ...newest].map((state) => [state.id, state]));
  return [...byId.values()].slice(0, places);
}

/** What the queue does not take waits for its turn as before, and not until it would be looked at again. */
async function sendOrPutBack(
  services: ReconcileServices,
  lane: Lane,
  taken: readonly RecordState[],
): Promise<void> {
  try {
    await services.queues[lane].send(taken.map(messageOf));
  } catch (error) {
    const nowMs = services.clock.now();
    await Promise.all(
      taken.map((record) =>
        changeRecord(services, record, (state): { state?: RecordState } => {
          const back = putBack(state, nowMs);
          return back ? { state: back } : {};
        }),
      ),
    );
    throw error;
  }
}

function take(services: ReconcileServices, record: RecordState): Promise<{ state?: RecordState }> {
  const nowMs = services.clock.now();
  return changeRecord(services, record, (state): { state?: RecordState } => {
    const taken = letInUntil(state, nowMs + REQUEUE_AFTER_MS);
    return taken ? { state: taken } : {};
  });
}
