import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { runEventSource } from '../../../../infra/local/event-source.ts';

/** A queue that gives ten messages at once and deletes ten at once, as SQS does. */
function queueOf(count: number) {
  let left = Array.from({ length: count }, (_, index) => `m${index}`);
  let given = 0;
  const send = async (command: unknown) => {
    if (command instanceof ReceiveMessageCommand) {
      const most = command.input.MaxNumberOfMessages ?? 0;
      if (most < 1 || most > 10) throw new RangeError(`SQS gives no ${most} messages.`);
      const Messages = left
        .slice(given, given + most)
        .map((id) => ({ MessageId: id, ReceiptHandle: id, Body: id }));
      given += Messages.length;
      return { Messages };
    }
    if (!(command instanceof DeleteMessageBatchCommand)) throw new Error('No such command.');
    const { Entries = [] } = command.input;
    if (Entries.length > 10) throw new RangeError('SQS deletes ten at once.');
    left = left.filter((id) => !Entries.some(({ ReceiptHandle }) => ReceiptHandle === id));
    given -= Entries.length;
    return {};
  };
  return { sqs: { send } as unknown as SQSClient, left: () => left };
}

describe("a laptop's event source", () => {
  it.each([
    [5, [5, 5, 5, 5, 3]],
    [17, [17, 6]],
    [100, [23]],
  ])('hands the worker batches of %d, and deletes all but what failed', async (batchSize, batches) => {
    const { sqs, left } = queueOf(23);
    const stopping = new AbortController();
    const seen: number[] = [];
    let handled = 0;
    await runEventSource({
      sqs,
      queueUrl: 'bulk',
      timeoutMs: 1_000,
      batchSize: async () => batchSize,
      signal: stopping.signal,
      handler: async ({ Records }) => {
        seen.push(Records.length);
        handled += Records.length;
        if (handled === 23) stopping.abort();
        const failed = Records.filter(({ messageId }) => messageId === 'm22');
        return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
      },
    });
    expect(seen).toEqual(batches);
    expect(left()).toEqual(['m22']);
  });
});
