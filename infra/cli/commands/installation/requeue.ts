import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
} from '@aws-sdk/client-sqs';
import { decodeMessage } from '#shared/work-queue/message.ts';
import type { QueueName, Queues, QueueUrls } from '../../connection/queues.ts';

/** SQS takes and gives at most this many in one request. */
const BATCH = 10;
/** A message that is moved is deleted in a moment; one that is left is not met twice in one command. */
const HIDDEN_S = 60;

export interface Moved {
  readonly requeued: number;
  /** Left where they are: the workers would only give up on them again. */
  readonly unreadable: number;
}

/**
 * Moves dead letters back to the queue they came from: sent first and deleted after that, so that none is lost; a
 * crash in between leaves a double, which the record's state recognises.
 */
export async function moveDeadLetters(
  queues: Queues,
  options: {
    readonly names: readonly QueueName[];
    readonly signal?: AbortSignal | undefined;
    readonly onMoved: (count: number) => void;
  },
): Promise<Moved> {
  let [requeued, unreadable] = [0, 0];
  for (const name of options.names) {
    for (;;) {
      options.signal?.throwIfAborted();
      const messages = await receive(queues, queues.urls[name]);
      if (messages.length === 0) break;
      const readable = messages.filter(({ Body }) => decodeMessage(Body ?? '') !== undefined);
      requeued += await moveBatch(queues, queues.urls[name], readable);
      unreadable += messages.length - readable.length;
      options.onMoved(requeued + unreadable);
    }
  }
  return { requeued, unreadable };
}

async function receive({ sqs }: Queues, { deadUrl }: QueueUrls): Promise<Message[]> {
  const request = { QueueUrl: deadUrl, MaxNumberOfMessages: BATCH, VisibilityTimeout: HIDDEN_S };
  // A short wait asks all of SQS's servers; without one, messages may be overlooked.
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ ...request, WaitTimeSeconds: 1 }));
  return Messages;
}

/** @returns how many were moved; what SQS refused stays a dead letter. */
async function moveBatch(
  { sqs }: Queues,
  { url, deadUrl }: QueueUrls,
  messages: readonly Message[],
): Promise<number> {
  if (messages.length === 0) return 0;
  const copies = messages.map(({ Body = '' }, index) => ({ Id: String(index), MessageBody: Body }));
  const sent = await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: copies }));
  const refused = new Set((sent.Failed ?? []).map(({ Id }) => Id));
  const done = messages
    .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
    .filter(({ Id }) => !refused.has(Id));
  if (done.length > 0) await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: deadUrl, Entries: done }));
  return done.length;
}
