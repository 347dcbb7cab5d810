import { recordKey } from '#shared/crm';
import type { Clock } from '#shared/kernel';
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
import { ASKER_GRACE_MS } from '#shared/requests';
import { decodeMessage, REQUEUE_AFTER_MS } from '#shared/work-queue';
import type { SqliteQueues } from '#shared/work-queue/adapters';
import { isOfEndedProcess } from './announce.ts';

interface TakeOverInput {
  readonly services: {
    readonly records: RecordItems;
    readonly questions: AbandonedServices;
  };
  readonly queues: Pick<SqliteQueues, 'takeBack'>;
}

/**
 * Takes over the work of processes that have ended, without a timeout. One that ended well can also leave work, if a
 * full disk made its records fail. Requests without an answer become doubts. All
 * other work continues. What a command does meanwhile is left alone.
 */
export async function takeOver({ services, queues }: TakeOverInput): Promise<void> {
  const { records, questions } = services;
  await finishRequests(questions);
  await releaseRecords({ records, clock: questions.clock }, await queues.takeBack());
}

/** Finishes the requests of processes that have ended. */
export async function finishRequests(questions: AbandonedServices): Promise<void> {
  await finishAbandoned(questions, { graceMs: ASKER_GRACE_MS, hasEnded: isOfEndedProcess });
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
      await changeRecord(services, record, (state) => ({
        state: orphaned(state, untilMs, isOfEndedProcess),
      }));
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
