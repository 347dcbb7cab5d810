import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readAlarmSubscriptions } from '#shared/alerts/adapters';
import { openParts, SPEND_PAGE_PARTS } from '#shared/app';
import { parsePolicy } from '#shared/field-policy';
import { AWS_TIMEOUTS } from '#shared/http';
import { parseJson } from '#shared/kernel';
import { systemIds as newId, systemRandom as random } from '#shared/kernel/adapters';
import { parseSecrets, type SecretKey, secretName } from '#shared/secrets';
import { createParameterSource } from '#shared/secrets/adapters';
import { createDynamoStore, watchStoreClock } from '#shared/store/adapters';
import type { LaneQueues } from '#shared/work-queue';
import { createSqsQueue } from '#shared/work-queue/adapters';
import { failureOf } from '../../local/failure.ts';
import { type StackOutputs, stackOutputsSchema, templateSchema } from '../schemas.ts';
import { CliError } from '../terminal/exit.ts';
import type { CliIo } from '../terminal/terminal.ts';
import { type Connection, NO_LOG, type ReadingConnection } from './connection.ts';
import { openServices, openTransport } from './open-services.ts';

type StackIo = Pick<CliIo, 'env' | 'terminal' | 'clock'>;

/**
 * Connects to a deployed stack: its tables and queues, with the secrets and policy of its functions.
 * @throws CliError if there is no such stack, or AWS refuses access.
 */
export async function connectStack(name: string, io: StackIo): Promise<Connection> {
  const { access, outputs, policy, client, store, place } = await openTables(name, io);
  const secrets = await readSecrets(outputs, access);
  const sqs = new SQSClient(access('SQS'));
  const opened = openServices({
    store,
    clock: io.clock,
    newId,
    transport: openTransport(io.clock),
    referenceClock: store,
    installationSecret: secrets.installationSecret,
    policy,
    dataService: { baseUrl: outputs.DataServiceBaseUrl, apiKey: secrets.dataServiceApiKey },
    hubSpot: {
      accessToken: secrets.hubSpotAccessToken,
      ...(outputs.HubSpotBaseUrl && { baseUrl: outputs.HubSpotBaseUrl }),
    },
    portalId: outputs.HubSpotPortalId,
    ownAppId: outputs.HubSpotAppId,
    logger: place.logger,
  });
  return {
    ...opened,
    ...place,
    isStack: true,
    installedAtMs: Date.parse(outputs.InstalledAt),
    queues: queuesOf(sqs, outputs),
    hasWorkers: true,
    webhook: { publicUrl: outputs.WebhookUrl, clientSecret: secrets.hubSpotClientSecret },
    alarmSubscriptions: () => readAlarmSubscriptions(outputs.AlarmTopic, access('SNS')),
    close: async () => {
      await opened.close();
      client.destroy();
      sqs.destroy();
    },
  };
}

/**
 * Connects to the tables of a deployed stack with the caller's own permissions. Reads no secret.
 * @throws CliError if there is no such stack, or AWS refuses access.
 */
export async function connectToRead(name: string, io: StackIo): Promise<ReadingConnection> {
  const { outputs, policy, client, store, place } = await openTables(name, io);
  const settings = { store, policy, clock: io.clock, newId, random };
  return {
    ...place,
    services: openParts({ ...settings, portalId: outputs.HubSpotPortalId }, SPEND_PAGE_PARTS),
    close: async () => client.destroy(),
  };
}

async function openTables(name: string, io: StackIo) {
  const access = openAccess(io);
  const { outputs, policyJson } = await readStack(name, access);
  const policy = parsePolicy(JSON.parse(policyJson));
  const client = new DynamoDBClient(access('DYNAMODB'));
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const store = createDynamoStore({
    client: documents,
    tables: { ledger: outputs.LedgerTable, proof: outputs.ProofTable, state: outputs.StateTable },
    policy,
    newId,
    random,
    clock: io.clock,
    storeClock: watchStoreClock(documents, io.clock),
  });
  const stack = { name, region: await client.config.region() };
  return {
    access,
    outputs,
    policy,
    client,
    store,
    place: {
      policy,
      clock: io.clock,
      logger: NO_LOG,
      isReal: true,
      stack,
      path: `the stack ${name}`,
      hubSpotSite: { appId: outputs.HubSpotAppId },
    },
  };
}

/** Secrets that commands need. The alert address is not among them, because commands send no alerts. */
const KEYS = [
  'dataServiceApiKey',
  'hubSpotAccessToken',
  'hubSpotClientSecret',
  'installationSecret',
] as const;

async function readSecrets({ SecretPrefix }: StackOutputs, access: StackAccess) {
  const source = createParameterSource(access('SSM'));
  const read = async (key: SecretKey) => [key, await source(secretName(SecretPrefix, key))] as const;
  return parseSecrets(KEYS, new Map(await Promise.all(KEYS.map(read))));
}

function queuesOf(client: SQSClient, outputs: StackOutputs): LaneQueues {
  const queue = (queueUrl: string) => createSqsQueue({ client, queueUrl });
  return {
    urgent: { queue: queue(outputs.UrgentQueueUrl), dead: queue(outputs.UrgentDeadLettersUrl) },
    live: { queue: queue(outputs.LiveQueueUrl), dead: queue(outputs.LiveDeadLettersUrl) },
    bulk: { queue: queue(outputs.BulkQueueUrl), dead: queue(outputs.BulkDeadLettersUrl) },
  };
}

type StackAccess = ReturnType<typeof openAccess>;

/**
 * Opens access to AWS with the environment's region and addresses. As in `npm run deploy`, the SDK chooses the
 * credentials, and a named profile takes precedence over keys in the environment. All clients share the credentials,
 * so that a profile with multi-factor authentication asks for only one code.
 */
export function openAccess({ env, terminal }: Pick<CliIo, 'env' | 'terminal'>) {
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'];
  const mfaCodeProvider =
    terminal && (async (serial: string) => (await terminal.ask(`Code of ${serial}: `)) ?? '');
  // The client passes its settings on to the credential providers.
  const first = new CloudFormationClient({
    ...AWS_TIMEOUTS,
    ...(region && { region }),
    ...(mfaCodeProvider && { mfaCodeProvider }),
  });
  const { credentials } = first.config;
  return (service: 'CLOUDFORMATION' | 'DYNAMODB' | 'SNS' | 'SQS' | 'SSM') => {
    const endpoint = env[`AWS_ENDPOINT_URL_${service}`] ?? env['AWS_ENDPOINT_URL'];
    return { ...AWS_TIMEOUTS, credentials, ...(region && { region }), ...(endpoint && { endpoint }) };
  };
}

/**
 * The outputs of a stack and its policy as JSON.
 * @throws CliError if there is no such stack, or AWS refuses access.
 */
export async function readStack(name: string, access: StackAccess) {
  const { outputs: described, template } = await describe(name, access);
  const outputs = stackOutputsSchema.safeParse(described);
  const parsed = templateSchema.safeParse(template);
  const missing = [
    ...(outputs.success ? [] : outputs.error.issues.map(({ path }) => path.join('.'))),
    ...(parsed.success ? [] : ['Policy']),
  ];
  if (!outputs.success || !parsed.success) {
    const message = `The stack ${name} has no output ${missing.join(', ')}. It is another program's stack, or an older version: deploy this one.`;
    throw new CliError('no-output', message, { params: { stack: name, missing } });
  }
  return { outputs: outputs.data, policyJson: parsed.data.Metadata.Policy };
}

async function describe(StackName: string, access: StackAccess) {
  const client = new CloudFormationClient(access('CLOUDFORMATION'));
  try {
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    const { TemplateBody = '{}' } = await client.send(new GetTemplateCommand({ StackName }));
    const outputs = (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue]);
    return { outputs: Object.fromEntries(outputs), template: parseJson(TemplateBody) };
  } catch (error) {
    // CloudFormation has no error code for a missing stack.
    if (!(error instanceof Error && /does not exist/.test(error.message)))
      throw stackUnreadable(StackName, error);
  } finally {
    client.destroy();
  }
  const message = `There is no stack ${StackName}. Check --stack, and AWS_PROFILE and AWS_REGION for its account.`;
  throw new CliError('no-stack', message, { params: { stack: StackName } });
}

/** Error for missing credentials, region or rights, where a retry would not help. */
function stackUnreadable(stackName: string, error: unknown): unknown {
  if (!(error instanceof Error) || failureOf(error)?.code === 'aws-silent') return error;
  const message = `AWS does not return the stack ${stackName} (${error.name}). Check AWS_PROFILE and AWS_REGION, and that you may read it.`;
  const params = { stack: stackName, name: error.name };
  return new CliError('aws-refused', message, { params });
}
