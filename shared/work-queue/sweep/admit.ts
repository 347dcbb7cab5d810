import type { BudgetsNow } from '#shared/credit-ledger';
import { laneOf, PURPOSES, type Purpose, recordKey } from '#shared/crm';
import { inChunks } from '#shared/kernel';
import { admitUntil, putBack, queuePlace, type RecordState, recordKind } from '#shared/records';
import { REQUEUE_AFTER_MS } from './requeue.ts';
import { sendWaiting } from './send-waiting.ts';
import type { Backlog, SweepServices } from './sweep-window.ts';

/** One place in ten goes to the oldest waiting record, so that every record starts eventually. */
export const OLDEST_SHARE = 10;
/** Number of records to read from each end of the queue order. Records that the budget postpones are skipped. */
const READ_FROM_EACH_END = 200;

/**
 * Queues waiting records: the most urgent purpose first, and within a purpose the newest first. Admits only as many
 * records as the queues have room for and the budgets can pay for. If the budget is used up when a record is processed,
 * the record waits again.
 * @param untried records that wait for credits. A record whose answer is already stored needs none.
 */
export async function admitWaiting(
  services: SweepServices,
  backlog: Pick<Backlog, 'room' | 'bound'>,
  untried: readonly RecordState[] = [],
): Promise<number> {
  const { clock } = services;
  const room = new Map(backlog.room);
  let count = 0;
  for (const purpose of PURPOSES) {
    const lane = laneOf(purpose);
    const places = room.get(lane) ?? 0;
    const ofPurpose = untried.filter(({ run }) => run?.purpose === purpose);
    const inOrder = await nextInQueue(services, purpose, { room: places, untried: ofPurpose });
    const sent = await sendWaiting(services, inOrder.slice(0, places), {
      cause: 'admitted',
      lane,
      bound: backlog.bound.get(lane) ?? 0,
      before: (state) => admitUntil(state, clock.now() + REQUEUE_AFTER_MS),
      // A record without a message returns to its place in the queue order. It does not wait for the requeue time.
      unsent: (state) => putBack(state, clock.now()),
    });
    room.set(lane, places - sent);
    count += sent;
  }
  return count;
}

async function nextInQueue(
  services: SweepServices,
  purpose: Purpose,
  { room, untried }: { readonly room: number; readonly untried: readonly RecordState[] },
): Promise<readonly RecordState[]> {
  const { records, crm, clock } = services;
  const partition = recordKind.partition(queuePlace(purpose));
  if (room === 0 || (await records.list({ partition, limit: 1 })).length === 0) return [];
  if ((await crm.pausedUntil(laneOf(purpose))) !== undefined) return [];
  const places = Math.min(room, affordable(services, await services.questions.ledger.now(), purpose));
  if (places === 0) return untried.slice(0, room);
  const query = { partition, limit: Math.max(places, READ_FROM_EACH_END) };
  const newest = await records.list({ ...query, newestFirst: true });
  const oldest = await records.list(query);
  const nowMs = clock.now();
  // A record that costs more than the rest of today's budget must not block cheaper records.
  const isOpen = ({ waiting }: RecordState) => waiting?.reason !== 'budget' || waiting.untilMs <= nowMs;
  const inOrder = [...fromBothEnds(services, newest.filter(isOpen), oldest.filter(isOpen)), ...newest];
  const byKey = new Map(inOrder.map((state) => [recordKey(state), state]));
  // A run with a price limit of 0 credits needs no budget.
  const free = [...byKey.values()].slice(places).filter(({ run }) => run?.maxCredits === 0);
  return [...[...byKey.values()].slice(0, places), ...free].slice(0, room);
}

/**
 * Gives one place in ten to the oldest records, at a random position. Often only the first few admitted records are
 * processed, or the queue has room only for these. With a random position, the oldest records also get a tenth of these
 * places.
 */
function fromBothEnds(
  { random }: Pick<SweepServices, 'random'>,
  newest: readonly RecordState[],
  oldest: readonly RecordState[],
): readonly RecordState[] {
  return inChunks(newest, OLDEST_SHARE - 1).flatMap((group, index) => {
    const place = Math.floor(random() * OLDEST_SHARE);
    return group.toSpliced(place, 0, ...oldest.slice(index, index + 1));
  });
}

/** Returns the number of lookups that the budget can pay if each costs as much as the cheapest question. */
export function affordable(
  { cheapestCredits }: Pick<SweepServices, 'cheapestCredits'>,
  budgetsNow: BudgetsNow,
  purpose: Purpose,
): number {
  return Math.floor(budgetsNow.left(purpose) / cheapestCredits);
}
