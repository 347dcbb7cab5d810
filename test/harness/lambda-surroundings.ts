import { fileURLToPath } from 'node:url';
import { SECRET_KEYS, type Secrets, secretName } from '#shared/secrets';
import { type Served, serveSandbox } from '../../infra/sandbox/serve.ts';
import { startDynamoEngine, TABLE_VARIABLES } from './dynamo-engine.ts';
import { type EmbeddedQueues, startEmbeddedQueues } from './embedded-queues.ts';

export const CLIENT_SECRET = 'sandbox-client-secret';
export const PUBLIC_URL = 'https://hooks.example/hubspot';
export const SERVICE_NAME = 'a-stack';

/** A complete environment for every function. No function contacts these addresses before an event arrives. */
export const ENVIRONMENT = {
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  SECRET_PREFIX: '/a-stack',
  POWERTOOLS_SERVICE_NAME: SERVICE_NAME,
  URGENT_QUEUE_URL: 'http://127.0.0.1:9/urgent',
  LIVE_QUEUE_URL: 'http://127.0.0.1:9/live',
  BULK_QUEUE_URL: 'http://127.0.0.1:9/bulk',
  PUBLIC_URL,
  ...TABLE_VARIABLES,
  DATA_SERVICE_BASE_URL: 'http://127.0.0.1:9',
  HUBSPOT_BASE_URL: 'http://127.0.0.1:9',
  POLICY_FILE: fileURLToPath(new URL('lambda-policy.json', import.meta.url)),
  INSTALLED_AT: '2026-01-01T00:00:00Z',
  WORKER_TIMEOUT_S: '300',
} as const;

const SECRETS = {
  dataServiceApiKey: 'sandbox-key',
  hubSpotAccessToken: 'sandbox-token',
  hubSpotClientSecret: CLIENT_SECRET,
  installationSecret: 'an installation secret of a test',
  alertWebhookUrl: '',
};

export interface Surroundings {
  readonly queues: EmbeddedQueues;
  /** Names of the secrets that were read, in order. */
  readonly secretReads: () => readonly string[];
  /** Addresses of the stand-ins, for a function's environment. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts DynamoDB, SQS and Parameter Store on local ports. Only where `hasDynamoEngine`. */
export async function startSurroundings(): Promise<Surroundings> {
  const engine = await startDynamoEngine();
  const queues = await startEmbeddedQueues();
  const keeper = await startSecretKeeper();
  return {
    queues,
    secretReads: keeper.reads,
    env: {
      ...ENVIRONMENT,
      URGENT_QUEUE_URL: queues.queueUrls.urgent,
      LIVE_QUEUE_URL: queues.queueUrls.live,
      BULK_QUEUE_URL: queues.queueUrls.bulk,
      AWS_ENDPOINT_URL_SQS: queues.endpoint,
      AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
      AWS_ENDPOINT_URL_SSM: keeper.url,
    },
    close: async () => {
      await keeper.close();
      await queues.close();
      await engine.close();
    },
  };
}

/** Implements the one call of Parameter Store that the functions use. A key that is absent here is not filled in. */
export async function startSecretKeeper(
  secrets: Readonly<Partial<Secrets>> = SECRETS,
): Promise<Served & { reads(): readonly string[] }> {
  const reads: string[] = [];
  const served = await serveSandbox({
    port: 0,
    handle: async (request) => {
      const { Name }: { Name: string } = JSON.parse(await request.text());
      reads.push(Name);
      const key = SECRET_KEYS.find((each) => Name.endsWith(secretName('', each)));
      return Response.json({
        Parameter: { Value: JSON.stringify(key ? { [key]: secrets[key] ?? '' } : {}) },
      });
    },
  });
  return { ...served, reads: () => reads };
}
