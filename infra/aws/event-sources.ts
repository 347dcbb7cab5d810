import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { LANES, type Lane } from '#shared/crm';
import { workPaceFor } from '#shared/work-queue';
import type { Configuration } from './configuration.ts';
import { LANE_IDS } from './names.ts';
import { EVENT_SOURCE_ACTIONS } from './permissions.ts';
import type { Queues } from './queues.ts';

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
