import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Queue, QueueEncryption, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { LANES, type Lane } from '#shared/crm';
import { MAX_RECEIVES, VISIBILITY_TIMEOUT_S } from '#shared/work-queue';
import { LANE_IDS } from './names.ts';
import { pinned } from './pinned.ts';

/** A lane's queue, and its dead-letter queue. */
export interface QueueWithDeadLetters {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

/** The longest retention of SQS. Messages rarely wait for minutes, because longer waits are stored in the records. */
const RETENTION = Duration.days(14);

/**
 * Creates a queue for each lane. Messages carry ids only. The queues have fixed logical ids, so that moving code loses
 * no message.
 */
export class Queues extends Construct {
  readonly lanes: Readonly<Record<Lane, QueueWithDeadLetters>>;

  constructor(scope: Construct) {
    super(scope, 'Queues');
    const [urgent, live, bulk] = LANES.map((lane) => laneQueues(this, lane));
    if (!urgent || !live || !bulk) throw new Error('There are three lanes.');
    this.lanes = { urgent, live, bulk };
  }
}

function laneQueues(scope: Construct, lane: Lane): QueueWithDeadLetters {
  const id = LANE_IDS[lane];
  const common = {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    removalPolicy: RemovalPolicy.DESTROY,
  };
  // The name is fixed, because the two queues refer to each other.
  const queueName = `${Stack.of(scope).stackName}-${lane}`;
  const arn = Stack.of(scope).formatArn({ service: 'sqs', resource: queueName });
  const deadLetters = pinned(
    new Queue(scope, `${id}DeadLetters`, {
      ...common,
      retentionPeriod: RETENTION,
      redriveAllowPolicy: {
        redrivePermission: RedrivePermission.BY_QUEUE,
        sourceQueues: [Queue.fromQueueArn(scope, `${id}Source`, arn)],
      },
    }),
    `Queues${id}DeadLetters`,
  );
  const queue = pinned(
    new Queue(scope, id, {
      ...common,
      queueName,
      retentionPeriod: RETENTION,
      visibilityTimeout: Duration.seconds(VISIBILITY_TIMEOUT_S),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: MAX_RECEIVES },
    }),
    `Queues${id}`,
  );
  // A queue has only one policy. Deleting the old policy resource would also delete the new policy.
  pinned(deadLetters.node.findChild('Policy'), `Queues${id}DeadLettersPolicy`);
  pinned(queue.node.findChild('Policy'), `Queues${id}Policy`);
  return { queue, deadLetters };
}
