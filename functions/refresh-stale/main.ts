import { SQSClient } from '@aws-sdk/client-sqs';
import { createLambda } from '../../shared/enrichment/lambda-parts.aws.ts';
import { worstCaseOfRefresh } from '../../shared/enrichment/plan.ts';
import { readEnvironment } from '../../shared/kernel/environment.ts';
import { createSqsQueue } from '../../shared/work-queue/queue.sqs.ts';
import { envSchema } from './env.ts';
import { createHandler } from './handler.ts';

const env = readEnvironment(envSchema, process.env);
const client = new SQSClient();

export const handler = createLambda(env, ({ records, ledger }, { policy, clock, newId, logger }) =>
  createHandler({
    records,
    ledger,
    bulkQueue: createSqsQueue({ client, queueUrl: env.BULK_QUEUE_URL }),
    worstCaseCredits: (objectType) => worstCaseOfRefresh(objectType, policy),
    clock,
    newId,
    logger,
  }),
);
