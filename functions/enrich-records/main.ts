import { createLambda } from '../../shared/enrichment/lambda-parts.aws.ts';
import { envSchema } from './env.ts';
import { createHandler, type QueueEvent, type TimeLeft } from './handler.ts';

export const handler = createLambda(
  envSchema.parse(process.env),
  ({ records, crm, gateway, digest }, common): ((event: QueueEvent, context: TimeLeft) => Promise<unknown>) =>
    createHandler({ records, crm, gateway, digest, ...common }),
);
