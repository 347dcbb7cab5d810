import { ledgerReader, openParts, records } from '#shared/app';
import { worstCaseOfRefresh } from '#shared/enrichment';
import { readEnvironment } from '#shared/kernel';
import { openLambda } from '#shared/lambda/adapters';
import { envSchema } from './env.ts';
import { createHandler } from './handler.ts';

const env = readEnvironment(envSchema, process.env);
const lambda = openLambda(env, { ledger: env.LEDGER_TABLE, state: env.STATE_TABLE });

export const handler = lambda.around(
  createHandler({
    ...lambda,
    ...openParts(lambda, { records, ledger: ledgerReader }),
    worstCaseCredits: (state) => worstCaseOfRefresh(state, lambda.policy),
  }),
);
