import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { recordKey } from '#shared/crm';
import type { Clock } from '#shared/kernel';
import { type AbandonedServices, finishAbandoned, orphan, questionKind } from '#shared/questions';
import {
  changeRecord,
  dueNow,
  orphaned,
  RECORD_PLACES,
  type RecordItems,
  recordKind,
  WAITING_PLACES,
} from '#shared/records';
import { change, INDEXED_TABLES } from '#shared/versioned-items';
import { decodeMessage, REQUEUE_AFTER_MS } from '#shared/work-queue';
import type { QueuedMessage } from './embedded-aws.ts';
import { mendIndex } from './mend-index.ts';
import { TABLES } from './tables.ts';

interface Estate {
  readonly dynamo: DynamoDBDocumentClient;
  readonly services: {
    readonly records: RecordItems;
    readonly questions: AbandonedServices;
  };
  /** What the queues held when they were last saved. */
  readonly queued: readonly QueuedMessage[];
  /** Whether the former holder of the tables was killed. */
  readonly leftByTheDead: boolean;
}

/**
 * Takes over the work of an earlier process. Only one process can have the tables open, so the earlier one has ended and no
 * timeout is needed. Requests without an answer become doubts; all other work continues.
 */
export async function takeOver({ dynamo, services, queued, leftByTheDead }: Estate): Promise<void> {
  const { records, questions } = services;
  if (leftByTheDead) {
    for (const table of INDEXED_TABLES) await mendIndex(dynamo, TABLES[table]);
    for (const { questionKey } of await questions.ledger.openReservations())
      await endAttempt(questions, questionKey);
    await releaseRecords({ records, clock: questions.clock }, queued);
  }
  await finishAbandoned(questions, { graceMs: 0 });
}

/** The time for an answer is over: the connection that it would have come by is closed. */
async function endAttempt({ items, clock }: Estate['services']['questions'], key: string): Promise<void> {
  await change(items, { key: questionKind.key(key), kind: 'question', clock }, (item) => ({
    value: item && orphan(item, clock.now()),
  }));
}

interface RecordServices {
  readonly records: RecordItems;
  readonly clock: Clock;
}

async function releaseRecords(services: RecordServices, queued: readonly QueuedMessage[]): Promise<void> {
  const nowMs = services.clock.now();
  const messages = queued.flatMap(({ body }) => decodeMessage(body) ?? []);
  const coming = new Set(messages.map(recordKey));
  for (const partition of RECORD_PLACES.filter((place) => /^(?:running|waiting)-/.test(place)))
    for (const record of await services.records.list({ partition: recordKind.partition(partition) })) {
      const untilMs = coming.has(recordKey(record)) ? nowMs + REQUEUE_AFTER_MS : nowMs;
      await changeRecord(services, record, (state) => ({ state: orphaned(state, untilMs) }));
    }
}

/** Waits for these reasons are due now, because the reasons have ended. */
export async function endWaits(services: RecordServices, reasons: readonly string[]): Promise<void> {
  for (const partition of WAITING_PLACES)
    for (const record of await services.records.list({ partition: recordKind.partition(partition) }))
      await changeRecord(services, record, (state) => ({
        state: dueNow(state, { reasons, nowMs: services.clock.now() }),
      }));
}
