import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { LANES, type Lane } from '#shared/crm';
import { MAX_RECEIVES, VISIBILITY_TIMEOUT_S, workPaceFor } from '#shared/work-queue';
import type { Configuration } from './configuration.ts';
import { LANE_IDS } from './names.ts';
import { EVENT_SOURCE_ACTIONS } from './permissions.ts';
import { pinned } from './stack-parts.ts';

interface QueueWithDeadLetters {
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

/** Maximum number of messages in a batch without a batching window. */
const MOST_WITHOUT_WINDOW = 10;

/** Connects all lanes to the worker. Its maximum concurrency keeps a backlog in the queue, where it costs nothing. */
export class EventSources extends Construct {
  constructor(
    scope: Construct,
    services: {
      readonly worker: IFunction;
      readonly queues: Queues;
      readonly configuration: Configuration;
    },
  ) {
    super(scope, 'EventSources');
    const { worker, queues, configuration } = services;
    const { sources } = workPaceFor(configuration.requestsPerMinute);
    const { liveConcurrency, bulkConcurrency } = configuration;
    const chosen: Partial<Record<Lane, number | undefined>> = {
      live: liveConcurrency,
      bulk: bulkConcurrency,
    };
    for (const lane of LANES) {
      const { queue } = queues.lanes[lane];
      const { batchSize, concurrency } = sources[lane];
      const source = new EventSourceMapping(this, LANE_IDS[lane], {
        target: worker,
        eventSourceArn: queue.queueArn,
        batchSize,
        // Small batches need no window, because a person waits for live work.
        ...(batchSize > MOST_WITHOUT_WINDOW && { maxBatchingWindow: Duration.seconds(1) }),
        maxConcurrency: chosen[lane] ?? concurrency,
        reportBatchItemFailures: true,
      });
      worker.addToRolePolicy(
        new PolicyStatement({ actions: [...EVENT_SOURCE_ACTIONS], resources: [queue.queueArn] }),
      );
      // Lambda refuses a source whose queue the role may not read yet.
      if (worker.role) source.node.addDependency(worker.role);
    }
  }
}
