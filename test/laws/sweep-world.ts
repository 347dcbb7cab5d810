import type { StoredStatus } from '#inside/records/status/schemas.ts';
import { LANES, type Lane, type Purpose } from '#shared/crm';
import { type Clock, MINUTE_MS, type Random, seededRandom } from '#shared/kernel';
import {
  changeRecord,
  newRecordState,
  openWaiting,
  type RecordItems,
  type RecordState,
  recordPlace,
  settle,
} from '#shared/records';
import {
  admitWaiting,
  decodeMessage,
  readBacklog,
  requeueDue,
  type SweepServices,
  underLease,
  type WorkMessage,
} from '#shared/work-queue';
import { createMemoryItems } from '../harness/memory-items.ts';
import { createMemoryQueue, type MemoryQueue } from '../harness/memory-queue.ts';
import { type Actor, createStage, type Fate } from './gateway/stage.ts';

const RATE_PER_MINUTE = 3;
/** Two minutes of the rate, and 20 for work in masses. */
export const BOUND: Readonly<Record<Lane, number>> = { urgent: 6, live: 6, bulk: 60 };
/** As on AWS. */
const SWEEP_MS = 4 * MINUTE_MS;
const VISIBILITY_MS = 330_000;

/** Sixty of each wait. */
const WAITING: readonly { readonly objectType: 'contacts' | 'companies'; readonly purpose: Purpose }[] = [
  { objectType: 'contacts', purpose: 'live' },
  { objectType: 'contacts', purpose: 'import' },
  { objectType: 'contacts', purpose: 'refresh' },
  { objectType: 'companies', purpose: 'backfill' },
];

function waitingRecords(nowMs: number): readonly RecordState[] {
  return WAITING.flatMap(({ objectType, purpose }, kind) =>
    Array.from({ length: 60 }, (_, nth) => {
      const id = String(60 * kind + nth + 1);
      const opening = { runId: id, purpose, nowMs: nowMs - nth, untilMs: nowMs, reason: 'queued' } as const;
      return openWaiting(newRecordState(objectType, id), opening);
    }),
  );
}

export interface SweepCourse {
  readonly seed: number;
  /** Whether sweeps share the counter; otherwise each counts alone. */
  readonly isCounted: boolean;
}

/** Records that wait, queues, and sweeps of which each may be killed, frozen or failed at any call. */
export async function openSweepWorld({ seed, isCounted }: SweepCourse) {
  const random = seededRandom(seed);
  const startMs = Date.UTC(2026, 10, 21, 12);
  const stage = createStage({ startMs, choose: (ready) => Math.floor(random() * ready) });
  const clock = { now: stage.now, monotonic: stage.now, sleep: async () => undefined };
  const records = createMemoryItems<RecordState>({ indexPosition: recordPlace });
  const status = createMemoryItems<StoredStatus>();
  const queue = () => createMemoryQueue({ clock, visibilityMs: VISIBILITY_MS, maxReceiveCount: 1_000 });
  const queues = { urgent: queue(), live: queue(), bulk: queue() };
  const admittedIn = new Map<string, number>();
  for (const state of waitingRecords(startMs))
    await changeRecord({ records, clock }, state, () => ({ state }));
  let made = 0;
  /** Counts when a sweep decides to send: nobody can call back a request that is on its way. */
  const counted = (lane: Lane, actor: Actor) => {
    const port = actor.port('queue', queues[lane]);
    return {
      ...port,
      waiting: () => port.waiting(),
      send: (messages: readonly WorkMessage[]) => {
        const minute = `${lane} ${Math.floor(stage.now() / MINUTE_MS)}`;
        admittedIn.set(minute, (admittedIn.get(minute) ?? 0) + messages.length);
        return port.send(messages);
      },
    };
  };
  const sweep = (fate: Fate | undefined, isLeased: boolean) => {
    const actor = stage.actor(`sweep ${++made}`, { fate });
    const ported = (lane: Lane) => actor.port('queue', queues[lane]);
    const own = {
      records: actor.port('items', records),
      status: actor.port('rateLimiter', isCounted ? status : createMemoryItems<StoredStatus>()),
      ratePerMinute: async () => RATE_PER_MINUTE,
      cheapestCredits: 1,
      questions: { ledger: { now: async () => ({ left: () => 1_000 }) } },
      crm: { pausedUntil: async () => undefined },
      clock: actor.clock,
      random,
      newId: () => String(++made),
    };
    const requeuing = {
      ...own,
      queues: { urgent: ported('urgent'), live: ported('live'), bulk: ported('bulk') },
    } as unknown as SweepServices;
    const admitting = {
      ...own,
      queues: {
        urgent: counted('urgent', actor),
        live: counted('live', actor),
        bulk: counted('bulk', actor),
      },
    } as unknown as SweepServices;
    const steps = async () => {
      const backlog = await readBacklog(requeuing);
      await requeueDue(requeuing, 'waiting', backlog);
      await admitWaiting(admitting, backlog);
    };
    const ended = (isLeased ? underLease(requeuing, SWEEP_MS, steps) : steps()).catch(() => undefined);
    return { actor, ended };
  };
  return {
    ...{ stage, random, records, queues, admittedIn, sweep },
    work: () => work({ records, clock, queues, random }),
  };
}

export type SweepWorld = Awaited<ReturnType<typeof openSweepWorld>>;

interface Workplace {
  readonly records: RecordItems;
  readonly queues: Readonly<Record<Lane, MemoryQueue>>;
  readonly random: Random;
  readonly clock: Pick<Clock, 'sleep'>;
}

/** A worker ends the runs of most messages. The others come again, as those of a crashed worker. */
async function work({ records, clock, queues, random }: Workplace): Promise<void> {
  for (const lane of LANES)
    for (const { messageId, body } of queues[lane].receive(100)) {
      const message = decodeMessage(body);
      if (!message || isUnlucky(random)) continue;
      await changeRecord({ records, clock }, message, (state) => ({ state: ended(state) }));
      queues[lane].remove([messageId]);
    }
}

function isUnlucky(random: Random): boolean {
  return random() < 0.2;
}

function ended(state: RecordState): RecordState | undefined {
  if (!state.run) return undefined;
  const outcome = { kind: 'unmatched', reason: { code: 'x' }, atMs: 0, credits: 0 } as const;
  return settle(state, { outcome, learned: {} });
}
