import { createBooksToRead } from '#shared/composition/books.aws.ts';
import { openLambda } from '#shared/composition/lambda.aws.ts';
import { createRecords } from '#shared/composition/records.aws.ts';
import { worstCaseOfRefresh } from '#shared/enrichment/ask/worst-case.ts';
import { readEnvironment } from '#shared/kernel/environment.ts';
import { envSchema } from './env.ts';
import { createHandler } from './handler.ts';

const env = readEnvironment(envSchema, process.env);
const lambda = openLambda(env, { records: env.RECORDS_TABLE, ledger: env.LEDGER_TABLE });
const { clock, newId, logger, policy } = lambda;

export const handler = lambda.around(
  createHandler({
    records: createRecords(lambda),
    ledger: createBooksToRead(lambda).ledger,
    worstCaseCredits: (objectType) => worstCaseOfRefresh(objectType, policy),
    clock,
    newId,
    logger,
  }),
);
