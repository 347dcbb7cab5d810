import { SQSClient } from '@aws-sdk/client-sqs';
import { createBooksToRead } from '#shared/composition/books.aws.ts';
import { openLambda } from '#shared/composition/lambda.aws.ts';
import { createRecords } from '#shared/composition/records.aws.ts';
import { worstCaseOfRefresh } from '#shared/enrichment/ask/worst-case.ts';
import { readEnvironment } from '#shared/kernel/environment.ts';
import { createSqsQueue } from '#shared/work-queue/queue.sqs.ts';
import { envSchema } from './env.ts';
import { createHandler } from './handler.ts';

const env = readEnvironment(envSchema, process.env);
const lambda = openLambda(env, { records: env.RECORDS_TABLE, ledger: env.LEDGER_TABLE });
const { clock, newId, logger, policy } = lambda;

export const handler = lambda.around(
  createHandler({
    records: createRecords(lambda),
    ledger: createBooksToRead(lambda).ledger,
    bulkQueue: createSqsQueue({ client: new SQSClient(), queueUrl: env.BULK_QUEUE_URL }),
    worstCaseCredits: (objectType) => worstCaseOfRefresh(objectType, policy),
    clock,
    newId,
    logger,
  }),
);
