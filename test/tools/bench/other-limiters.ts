import { setTimeout as sleep } from 'node:timers/promises';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import Bottleneck from 'bottleneck';
import { RateLimiterDynamo } from 'rate-limiter-flexible';
import type { CountedDynamo } from './counted-dynamo.ts';
import { LIMIT } from './observed-service.ts';

/** A call that reports whether it was refused with 429, and the end of the service's window. */
export type Call = () => Promise<{ readonly limited: boolean; readonly resetInMs: number }>;

/** Repeats a worker's call until it is answered. */
export type Limited = (call: Call) => Promise<void>;

/** Makes a worker's limiter. Workers share only the limiter's own state. */
export type LimiterMaker = (workers: number) => Promise<Limited>;

const MINUTE_S = 60;

/** Uses one counter in DynamoDB for all workers. After a 429 they wait for the reset that the service reports. */
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

/** It rejects with a result if no point is left, and with an error after a failure. */
function refusedFor(reason: unknown): number {
  if (typeof reason === 'object' && reason !== null && 'msBeforeNext' in reason)
    return Math.max(10, Number(reason.msBeforeNext));
  throw reason;
}

/** It shares state between processes only through Redis, so each worker gets an equal part of the rate. */
export const bottleneckLimiter: LimiterMaker = async (workers) => {
  const limiter = new Bottleneck({ maxConcurrent: 1, minTime: (MINUTE_S * 1_000 * workers) / LIMIT });
  return async (call) => {
    for (let answer = await limiter.schedule(call); answer.limited; answer = await limiter.schedule(call))
      await sleep(answer.resetInMs);
  };
};

const BACKOFF = { firstMs: 1_000, mostMs: 30_000 };

/** Retries after a 429 with a doubling delay and full jitter. */
export const backoffLimiter: LimiterMaker = async () => async (call) => {
  let waitMs = BACKOFF.firstMs;
  for (let answer = await call(); answer.limited; answer = await call()) {
    await sleep(Math.random() * waitMs);
    waitMs = Math.min(BACKOFF.mostMs, waitMs * 2);
  }
};
