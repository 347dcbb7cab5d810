import { DeleteItemCommand, DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { recordKey } from '#shared/crm';
import { recordKind } from '#shared/records';
import { ITEM_TABLE, OWNERS, storedKey } from '#shared/store';
import { MAX_RECEIVES, VISIBILITY_TIMEOUT_S } from '#shared/work-queue';
import { profileUrlOf, somePerson } from '../../harness/people.ts';
import { type Checklist, eventually, PATIENCE_S, same } from './checklist.ts';
import type { Scene } from './scene.ts';

/** On AWS the deliveries take three hours. */
const SHORT_VISIBILITY_S = 1;

/**
 * Sends two failing messages: one about a record with a damaged state, the other no message of ours. Both become dead
 * letters. After the state is repaired, the first is redriven and succeeds, and the other stays.
 */
export async function checkDeadLetters(checklist: Checklist, { stack, standIns }: Scene): Promise<void> {
  const sqs = new SQSClient();
  const dynamo = new DynamoDBClient();
  const contact = await standIns.createUnannounced({
    hs_linkedin_url: profileUrlOf(somePerson(standIns, 3)),
  });
  const key = { [ITEM_TABLE.partitionKey]: { S: storedKey(OWNERS, recordKind, recordKey(contact)) } };
  await checklist.check('a poisoned message ends in the dead-letter queue', async () => {
    const [QueueUrl, TableName] = [await stack.output('LiveQueueUrl'), await stack.output('StateTable')];
    const visibility = (seconds: number) =>
      sqs.send(
        new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: String(seconds) } }),
      );
    const damaged = { ...key, [ITEM_TABLE.version]: { S: 'damaged' }, [ITEM_TABLE.body]: { S: 'damaged' } };
    try {
      await dynamo.send(new PutItemCommand({ TableName, Item: damaged }));
      await visibility(SHORT_VISIBILITY_S);
      const body = JSON.stringify({
        version: 1,
        objectType: 'contacts',
        id: contact.id,
        purpose: 'live',
        eventKeys: ['dead-letter'],
      });
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'not a message of ours' }));
      await eventually(
        'Two dead letters',
        async () => {
          const live = await liveQueue(stack);
          return live.deadLetters === 2 ? { done: live } : { seen: live };
        },
        { withinS: PATIENCE_S + MAX_RECEIVES * 5 * SHORT_VISIBILITY_S },
      );
    } finally {
      await visibility(VISIBILITY_TIMEOUT_S);
      await dynamo.send(new DeleteItemCommand({ TableName, Key: key }));
    }
    return `after ${MAX_RECEIVES} receives, with the visibility timeout shortened from ${VISIBILITY_TIMEOUT_S} s to ${SHORT_VISIBILITY_S} s`;
  });
  await checklist.check('the command line gives dead letters another try', async () => {
    const moved = await stack.cli('queue', 'requeue', '--yes');
    same('What was moved', moved, { requeued: 1, unreadable: 1 });
    same('The outcome', (await stack.ended(contact)).outcome?.kind, 'enriched');
    same('What is left of dead letters', (await liveQueue(stack)).deadLetters, 1);
  });
}

async function liveQueue(stack: Scene['stack']): Promise<{ readonly deadLetters: number }> {
  const { queues }: { queues: { queue: string; deadLetters: number }[] } = await stack.cli('queue', 'status');
  return queues.find(({ queue }) => queue === 'live') ?? { deadLetters: 0 };
}
