import { SQSClient } from '@aws-sdk/client-sqs';
import {
  crm,
  extensions,
  homes,
  journal,
  knownPortal,
  openParts,
  records,
  requests,
  reviews,
  storedBreakers,
  WISH_SCHEMAS,
} from '#shared/app';
import { AWS_TIMEOUTS } from '#shared/http';
import { createUndiciSend } from '#shared/http/adapters';
import { readEnvironment, SECOND_MS } from '#shared/kernel';
import { openLambda } from '#shared/lambda/adapters';
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

function openCrm(accessToken: string) {
  return crm({ ...lambda, hubSpot: { baseUrl: env.HUBSPOT_BASE_URL, accessToken }, send });
}

let current: { readonly accessToken: string; readonly crm: ReturnType<typeof openCrm> } | undefined;

/** Returns the CRM, opened again if the token has changed. */
async function crmNow() {
  const { hubSpotAccessToken: accessToken } = await secrets.read();
  if (current?.accessToken !== accessToken) current = { accessToken, crm: openCrm(accessToken) };
  return current.crm;
}

const serve = createHandler({
  ...openParts(
    { ...lambda, portalId: env.HUBSPOT_PORTAL_ID },
    {
      extensions,
      breakers: storedBreakers,
      homes,
      journal,
      portal: knownPortal,
      records,
      requests,
      reviews,
    },
  ),
  policy: lambda.policy,
  wishSchemas: WISH_SCHEMAS,
  crm: {
    read: async (query) => (await crmNow()).read(query),
    definitions: async (objectType) => (await crmNow()).definitions(objectType),
  },
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
