import { GetQueueAttributesCommand, type QueueAttributeName, SQSClient } from '@aws-sdk/client-sqs';
import { LANES } from '#shared/crm';
import { AWS_TIMEOUTS } from '#shared/http';
import { LANE_IDS } from '../names.ts';
import { describeStack } from './deployed-stack.ts';

const COUNTED: QueueAttributeName[] = [
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
];

/** Counts the messages in the queues of an installation, including dead letters. 0 if the stack does not exist. */
export async function messagesWaiting(stackName: string): Promise<number> {
  const { outputs = {} } = (await describeStack(stackName)) ?? {};
  const sqs = new SQSClient(AWS_TIMEOUTS);
  let waiting = 0;
  for (const lane of LANES) {
    for (const kind of ['QueueUrl', 'DeadLettersUrl']) {
      const QueueUrl = outputs[`${LANE_IDS[lane]}${kind}`];
      if (QueueUrl === undefined) continue;
      const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: COUNTED });
      const { Attributes = {} } = await sqs.send(command);
      for (const name of COUNTED) waiting += Number(Attributes[name] ?? 0);
    }
  }
  return waiting;
}
