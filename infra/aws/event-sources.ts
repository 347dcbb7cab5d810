import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { LANES } from '#shared/crm';
import type { Configuration } from './configuration.ts';
import { LANE_IDS } from './names.ts';
import { EVENT_SOURCE_ACTIONS } from './permissions.ts';
import type { Queues } from './queues.ts';

/**
 * Records of a batch are read from HubSpot together and written together, and all of them must get their slots
 * of the vendor's rate before the function's time is over.
 */
const BATCH_SIZE = 5;

/** The least that Lambda takes; seldom is there more than a handful. */
const URGENT_CONCURRENCY = 2;

/** All lanes feed the worker. Its maximum concurrency keeps a backlog in the queue, where it costs nothing. */
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
    for (const lane of LANES) {
      const { queue } = queues.lanes[lane];
      const source = new EventSourceMapping(this, LANE_IDS[lane], {
        target: worker,
        eventSourceArn: queue.queueArn,
        batchSize: BATCH_SIZE,
        // No window: somebody waits for live work, and bulk work is held back by the rate anyway.
        maxConcurrency: {
          urgent: URGENT_CONCURRENCY,
          live: configuration.liveConcurrency,
          bulk: configuration.bulkConcurrency,
        }[lane],
        reportBatchItemFailures: true,
      });
      worker.addToRolePolicy(
        new PolicyStatement({ actions: [...EVENT_SOURCE_ACTIONS], resources: [queue.queueArn] }),
      );
      // Lambda refuses a source that the role may not read yet.
      if (worker.role) source.node.addDependency(worker.role);
    }
  }
}
