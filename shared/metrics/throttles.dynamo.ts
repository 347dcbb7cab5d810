import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Metrics, measure } from './metrics.ts';

/** Error names of DynamoDB for throttled requests. */
const THROTTLED: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
]);

/**
 * Counts each request that DynamoDB throttles, including those that the client retries itself. DynamoDB's own metrics
 * cannot replace this. An alarm on them keeps its state while data is missing, so it would never end.
 */
export function countThrottles(client: DynamoDBDocumentClient, metrics: Metrics): DynamoDBDocumentClient {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args);
      } catch (error) {
        if (error instanceof Error && THROTTLED.has(error.name)) metrics.emit([measure('storeThrottled', 1)]);
        throw error;
      }
    },
    // Runs inside the SDK's retries, so that each attempt counts.
    { name: 'countThrottles', step: 'finalizeRequest', priority: 'low', override: true },
  );
  return client;
}
