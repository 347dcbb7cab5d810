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
import { change } from '#shared/store';
import { decodeMessage, REQUEUE_AFTER_MS } from '#shared/work-queue';
import type { SqliteQueues } from '#shared/work-queue/adapters';

interface TakeOverInput {
  readonly services: {
    readonly records: RecordItems;
    readonly questions: AbandonedServices;
  };
  readonly queues: Pick<SqliteQueues, 'takeBack'>;
  /** Whether the previous process was killed. */
  readonly lastHolderCrashed: boolean;
}

/**
 * Takes over the work of an earlier process. Only one process can open the tables, so the earlier process has ended
 * and no timeout is needed. Requests without an answer become doubts. All other work continues.
 */
export async function takeOver({ services, queues, lastHolderCrashed }: TakeOverInput): Promise<void> {
  const { records, questions } = services;
  if (lastHolderCrashed) {
    for (const { questionKey } of await questions.ledger.openReservations())
      await endAttempt(questions, questionKey);
    await releaseRecords({ records, clock: questions.clock }, await queues.takeBack());
  }
  await finishAbandoned(questions, { graceMs: 0 });
}

/** Ends a request attempt. Its answer can no longer arrive, because its connection is closed. */
async function endAttempt(
  { items, clock }: TakeOverInput['services']['questions'],
  key: string,
): Promise<void> {
  await change(items, { key: questionKind.key(key), kind: 'question', clock }, (item) => ({
    value: item && orphan(item, clock.now()),
  }));
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
      await changeRecord(services, record, (state) => ({ state: orphaned(state, untilMs) }));
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
