import { setTimeout as sleep } from 'node:timers/promises';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import Bottleneck from 'bottleneck';
import { RateLimiterDynamo } from 'rate-limiter-flexible';
import type { CountedDynamo } from './counted-dynamo.ts';
import { LIMIT } from './observed-service.ts';

/** A call that tells whether it was refused with 429, and when the service says that its window ends. */
export type Call = () => Promise<{ readonly limited: boolean; readonly resetInMs: number }>;

/** How one worker goes about its calls: until one is answered. */
export type Limited = (call: Call) => Promise<void>;

/** Makes a worker's limiter. Workers share nothing but what the limiter itself shares. */
export type LimiterMaker = (workers: number) => Promise<Limited>;

const MINUTE_S = 60;

/** One counter in DynamoDB for all workers; after a 429 they wait for the reset that the service tells. */
export function flexibleLimiter({ client }: CountedDynamo): LimiterMaker {
  const tableName = 'limits';
  const created = client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
    }),
  );
  return async () => {
    await created;
    const given = { storeClient: client, tableName, tableCreated: true, ttlSet: true };
    const limiter = new RateLimiterDynamo({ ...given, points: LIMIT, duration: MINUTE_S });
    const consume = async (): Promise<void> => {
      for (;;) {
        const refusal = await limiter.consume('key').then(() => undefined, refusedFor);
        if (refusal === undefined) return;
        await sleep(refusal);
      }
    };
    return async (call) => {
      await consume();
      for (let answer = await call(); answer.limited; answer = await call()) {
        await sleep(answer.resetInMs);
        await consume();
      }
    };
  };
}

/** It rejects with a result where there is no point left, with an error where something failed. */
function refusedFor(reason: unknown): number {
  if (typeof reason === 'object' && reason !== null && 'msBeforeNext' in reason)
    return Math.max(10, Number(reason.msBeforeNext));
  throw reason;
}

/** It shares among processes only through Redis, so each worker has an even part of the rate. */
export const bottleneckLimiter: LimiterMaker = async (workers) => {
  const limiter = new Bottleneck({ maxConcurrent: 1, minTime: (MINUTE_S * 1_000 * workers) / LIMIT });
  return async (call) => {
    for (let answer = await limiter.schedule(call); answer.limited; answer = await limiter.schedule(call))
      await sleep(answer.resetInMs);
  };
};

const BACKOFF = { firstMs: 1_000, mostMs: 30_000 };

/** Sends, and after a 429 again after a time that doubles, with full jitter. */
export const backoffLimiter: LimiterMaker = async () => async (call) => {
  let waitMs = BACKOFF.firstMs;
  for (let answer = await call(); answer.limited; answer = await call()) {
    await sleep(Math.random() * waitMs);
    waitMs = Math.min(BACKOFF.mostMs, waitMs * 2);
  }
};
