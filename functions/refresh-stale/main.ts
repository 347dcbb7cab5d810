import { createRecords, openLambda } from '#shared/composition/adapters';
import { createBooksToRead } from '#shared/credit-ledger/adapters';
import { worstCaseOfRefresh } from '#shared/enrichment';
import { readEnvironment } from '#shared/kernel';
import { envSchema } from './env.ts';
import { createHandler } from './handler.ts';

const env = readEnvironment(envSchema, process.env);
const lambda = openLambda(env, { ledger: env.LEDGER_TABLE, state: env.STATE_TABLE });
const { clock, newId, logger, policy } = lambda;

export const handler = lambda.around(
  createHandler({
    records: createRecords(lambda),
    ledger: createBooksToRead(lambda).ledger,
    policy,
    worstCaseCredits: (state) => worstCaseOfRefresh(state, policy),
    clock,
    newId,
    logger,
  }),
);
