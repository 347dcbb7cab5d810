import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { type Clock, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { MAX_RECEIVES, VISIBILITY_TIMEOUT_S } from '#shared/work-queue';
import type { LocalQueues, QueueName } from '../../infra/local/queues.ts';
import { createMemoryQueue, type MemoryQueue } from '../../infra/local/virtual/memory-queue.ts';

/** Queues in this process, behind the requests that the commands send to SQS. */
export function createMemorySqs(clock: Clock): LocalQueues {
  const queues = new Map<string, MemoryQueue>();
  const open = (url: string, visibilityMs: number, maxReceiveCount: number) => {
    queues.set(url, createMemoryQueue({ clock, visibilityMs, maxReceiveCount }));
    return url;
  };
  const pair = (name: QueueName) => ({
    url: open(name, VISIBILITY_TIMEOUT_S * SECOND_MS, MAX_RECEIVES),
    deadUrl: open(`${name}-dead`, MINUTE_MS, Number.POSITIVE_INFINITY),
  });
  const send = async (command: unknown): Promise<unknown> => {
    const { input } = command as { input: { readonly QueueUrl: string } };
    const queue = queues.get(input.QueueUrl);
    if (!queue) throw new Error(`There is no queue ${input.QueueUrl}.`);
    return answer(queue, command);
  };
  return {
    sqs: { send } as unknown as SQSClient,
    urls: { urgent: pair('urgent'), live: pair('live'), bulk: pair('bulk') },
  };
}

async function answer(queue: MemoryQueue, command: unknown): Promise<unknown> {
  if (command instanceof SendMessageCommand) return queue.inject(command.input.MessageBody ?? '');
  if (command instanceof SendMessageBatchCommand) {
    for (const { MessageBody = '' } of command.input.Entries ?? []) queue.inject(MessageBody);
    return {};
  }
  if (command instanceof ReceiveMessageCommand) {
    const received = queue.receive(command.input.MaxNumberOfMessages ?? 1);
    return { Messages: received.map(({ messageId, body }) => ({ ReceiptHandle: messageId, Body: body })) };
  }
  if (command instanceof DeleteMessageBatchCommand)
    return queue.remove((command.input.Entries ?? []).map(({ ReceiptHandle = '' }) => ReceiptHandle));
  if (command instanceof GetQueueAttributesCommand) {
    const waiting = await queue.waiting();
    return {
      Attributes: {
        ApproximateNumberOfMessages: waiting,
        ApproximateNumberOfMessagesNotVisible: queue.size() - waiting,
      },
    };
  }
  throw new Error('The commands send no such request.');
}
