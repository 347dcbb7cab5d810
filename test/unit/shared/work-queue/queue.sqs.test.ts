import type { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { decodeMessage, type WorkMessage } from '#shared/work-queue';
import { createSqsQueue } from '#shared/work-queue/adapters';

const QUEUE_URL = 'https://sqs.example/live';

function messages(count: number): WorkMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    objectType: 'contacts',
    id: String(index + 1),
    purpose: 'live',
    eventKeys: [],
  }));
}

/** Takes batches as SQS does; refuses the records named. */
function fakeSqs(refusedIds: readonly string[] = []) {
  const batches: string[][] = [];
  const client: Pick<SQSClient, 'send'> = {
    send: async ({ input }: SendMessageBatchCommand) => {
      const entries = input.Entries ?? [];
      expect(input.QueueUrl).toBe(QUEUE_URL);
      expect(new Set(entries.map(({ Id }) => Id)).size).toBe(entries.length);
      const ids = entries.map(({ MessageBody = '' }) => decodeMessage(MessageBody)?.id ?? '');
      batches.push(ids);
      const Failed = ids.flatMap((id, index) =>
        refusedIds.includes(id)
          ? [{ Id: entries[index]?.Id, Code: 'InternalError', SenderFault: false }]
          : [],
      );
      return { Failed };
    },
  };
  return { batches, queue: createSqsQueue({ client: client as SQSClient, queueUrl: QUEUE_URL }) };
}

describe('the SQS queue', () => {
  it('fails when any message is refused', async () => {
    const { queue } = fakeSqs(['14']);
    await expect(queue.send(messages(23))).rejects.toMatchObject({ code: 'QUEUE_REFUSED', retryable: true });
  });

  it('leaves no batch unsent or under way when another one fails', async () => {
    const { queue, batches } = fakeSqs(['1']);
    await expect(queue.send(messages(100))).rejects.toMatchObject({ code: 'QUEUE_REFUSED' });
    expect(batches.flat().length).toBe(100);
  });
});
