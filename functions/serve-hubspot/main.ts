import { SQSClient } from '@aws-sdk/client-sqs';
import { createCrm, createRecords, openLambda } from '#shared/composition/adapters';
import { createExecutions, createRequests } from '#shared/enrichment/adapters';
import { createHomes } from '#shared/home/adapters';
import { AWS_TIMEOUTS } from '#shared/http';
import { createUndiciSend } from '#shared/http/adapters';
import { readEnvironment, SECOND_MS } from '#shared/kernel';
import { readBreakers } from '#shared/questions';
import { createBreakerItems } from '#shared/questions/adapters';
import { createPortal, createWriteJournal } from '#shared/records/adapters';
import { createDynamoReviews } from '#shared/review/adapters';
import { openSecrets } from '#shared/secrets/adapters';
import { createSqsQueue } from '#shared/work-queue/adapters';
import { envSchema } from './env.ts';
import { createHandler } from './handler.ts';

const env = readEnvironment(envSchema, process.env);
const lambda = openLambda(env, { state: env.STATE_TABLE });
const { clock, logger } = lambda;
const secrets = openSecrets(env, { keys: ['hubSpotClientSecret', 'hubSpotAccessToken'], clock, logger });
const { send } = createUndiciSend({ clock, connectTimeoutMs: 5 * SECOND_MS });
const sqs = new SQSClient(AWS_TIMEOUTS);

let current: { readonly accessToken: string; readonly crm: ReturnType<typeof createCrm> } | undefined;

/** Returns the CRM, composed again if the token has changed. */
async function crm() {
  const { hubSpotAccessToken: accessToken } = await secrets.read();
  if (current?.accessToken !== accessToken) {
    const hubSpot = { baseUrl: env.HUBSPOT_BASE_URL, accessToken };
    current = { accessToken, crm: createCrm({ ...lambda, hubSpot, send }) };
  }
  return current.crm;
}

const breakerItems = createBreakerItems(lambda);
const serve = createHandler({
  ...createRequests(lambda),
  breakers: { read: () => readBreakers({ items: breakerItems }) },
  executions: createExecutions(lambda),
  homes: createHomes(lambda),
  reviews: createDynamoReviews(lambda),
  records: createRecords(lambda),
  journal: createWriteJournal(lambda),
  policy: lambda.policy,
  crm: {
    read: async (query) => (await crm()).crm.read(query),
    definitions: async (objectType) => (await crm()).crm.definitions(objectType),
  },
  portal: createPortal(lambda, {
    configured: env.HUBSPOT_PORTAL_ID,
    account: async () => (await crm()).hubSpot.accountDetails(),
  }),
  queues: {
    urgent: createSqsQueue({ client: sqs, queueUrl: env.URGENT_QUEUE_URL }),
    bulk: createSqsQueue({ client: sqs, queueUrl: env.BULK_QUEUE_URL }),
  },
  clientSecret: async () => (await secrets.read()).hubSpotClientSecret,
  publicUrl: env.PUBLIC_URL,
  clock,
  logger,
});

export const handler = lambda.around(serve);
