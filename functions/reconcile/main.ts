import { SQSClient } from '@aws-sdk/client-sqs';
import { createLambda } from '../../shared/enrichment/lambda-parts.aws.ts';
import { HOUR_MS, SECOND_MS } from '../../shared/kernel/clock.ts';
import { createSqsQueue } from '../../shared/work-queue/queue.sqs.ts';
import { envSchema } from './env.ts';
import { createHandler } from './handler.ts';

const env = envSchema.parse(process.env);
const client = new SQSClient();

export const handler = createLambda(env, (parts, { policy, installedAtMs, clock, newId, logger }) =>
  createHandler({
    records: parts.records,
    questions: parts.questions,
    liveQueue: createSqsQueue({ client, queueUrl: env.LIVE_QUEUE_URL }),
    bulkQueue: createSqsQueue({ client, queueUrl: env.BULK_QUEUE_URL }),
    crm: parts.crm,
    cursors: parts.cursors,
    projectSpend: parts.spendBook.project,
    installedAtMs,
    askerGraceMs: env.WORKER_TIMEOUT_S * SECOND_MS,
    doubtsChargedAfterMs: policy.doubtsChargedAfterHours && policy.doubtsChargedAfterHours * HOUR_MS,
    clock,
    newId,
    logger,
  }),
);
