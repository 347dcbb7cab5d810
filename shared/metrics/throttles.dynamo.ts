import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Metrics, measure } from './metrics.ts';

/** As DynamoDB names a request that comes too soon after others. */
const THROTTLED: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
]);

/**
 * The client, counting each request that DynamoDB throttles, those included that it repeats by itself. DynamoDB's own
 * metrics will not do: an alarm on them keeps its state where data is missing, and so would never be over.
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
    // Within the SDK's own repeats.
    { name: 'countThrottles', step: 'finalizeRequest', priority: 'low', override: true },
  );
  return client;
}
