import { createLambda } from '../../shared/enrichment/lambda-parts.aws.ts';
import { envSchema } from './env.ts';
import { createHandler } from './handler.ts';

export const handler = createLambda(
  envSchema.parse(process.env),
  ({ spendBook, ledger }, { policy, clock, logger }) =>
    createHandler({ spendBook, ledger, timeZone: policy.timeZone, clock, logger }),
);
