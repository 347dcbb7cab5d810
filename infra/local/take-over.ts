import { recordKey } from '#shared/crm';
import { type Clock, type NewId, SECOND_MS } from '#shared/kernel';
import { systemIds } from '#shared/kernel/adapters';
import { type AbandonedServices, finishAbandoned } from '#shared/questions';
import {
  changeRecord,
  dueNow,
  orphaned,
  RECORD_PLACES,
  type RecordItems,
  recordKind,
  WAITING_PLACES,
} from '#shared/records';
import { decodeMessage, REQUEUE_AFTER_MS, VISIBILITY_TIMEOUT_S } from '#shared/work-queue';
import type { SqliteQueues } from '#shared/work-queue/adapters';

/** Beginning of a worker's ids. Claims and reservations have ids, and commands have others. */
const WORKER = 'w-';

/** Ids of this machine's worker. Only one runs, so what has such an id belonged to a worker that has ended. */
export const newWorkerId: NewId = () => `${WORKER}${systemIds()}`;

const isOfWorker = (id: string) => id.startsWith(WORKER);

interface TakeOverInput {
  readonly services: {
    readonly records: RecordItems;
    readonly questions: AbandonedServices;
  };
  readonly queues: Pick<SqliteQueues, 'takeBack'>;
}

/**
 * Takes over the work of a killed worker. The lock of the folder shows that it has ended, so no timeout is needed.
 * Requests without an answer become doubts. All other work continues. What a command does meanwhile is left alone.
 */
export async function takeOver({ services, queues }: TakeOverInput): Promise<void> {
  const { records, questions } = services;
  await finishAbandoned(questions, { graceMs: VISIBILITY_TIMEOUT_S * SECOND_MS, hasEnded: isOfWorker });
  await releaseRecords({ records, clock: questions.clock }, await queues.takeBack());
}

interface RecordServices {
  readonly records: RecordItems;
  readonly clock: Clock;
}

async function releaseRecords(services: RecordServices, bodies: readonly string[]): Promise<void> {
  const nowMs = services.clock.now();
  const messages = bodies.flatMap((body) => decodeMessage(body) ?? []);
  const queuedKeys = new Set(messages.map(recordKey));
  for (const partition of RECORD_PLACES.filter((place) => /^(?:running|waiting)-/.test(place)))
    for (const record of await services.records.list({ partition: recordKind.partition(partition) })) {
      const untilMs = queuedKeys.has(recordKey(record)) ? nowMs + REQUEUE_AFTER_MS : nowMs;
      await changeRecord(services, record, (state) => ({ state: orphaned(state, untilMs, isOfWorker) }));
    }
}

/** Makes all records due now that wait for one of these reasons. Called when the reasons have ended. */
export async function endWaits(services: RecordServices, reasons: readonly string[]): Promise<void> {
  for (const partition of WAITING_PLACES)
    for (const record of await services.records.list({ partition: recordKind.partition(partition) }))
      await changeRecord(services, record, (state) => ({
        state: dueNow(state, { reasons, nowMs: services.clock.now() }),
      }));
}
