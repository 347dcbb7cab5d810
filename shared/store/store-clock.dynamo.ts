import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Clock, clockOffsetMs, type ReferenceClock } from '#shared/kernel';

/** Reads the `Date` of every answer to this client, including refusals. The newest answer counts. */
export function watchStoreClock(client: DynamoDBDocumentClient, clock: Clock): ReferenceClock {
  let offsetMs = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      const sentAt = clock.monotonic();
      const result = await next(args);
      const receivedAtMs = clock.now();
      const serverMs = Date.parse(dateOf(result.response));
      const tookMs = clock.monotonic() - sentAt;
      if (Number.isFinite(serverMs)) offsetMs = clockOffsetMs({ serverMs, receivedAtMs, tookMs });
      return result;
    },
    // Runs for each of the SDK's retries, and before a refusal becomes an error.
    { name: 'watchStoreClock', step: 'deserialize', priority: 'low', override: true },
  );
  return { offsetMs: () => offsetMs };
}

function dateOf(response: unknown): string {
  const { headers } = (response ?? {}) as { headers?: Readonly<Record<string, string>> };
  return headers?.['date'] ?? '';
}
