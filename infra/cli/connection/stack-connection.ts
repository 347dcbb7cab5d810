import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readAlarmSubscriptions } from '#shared/alerts/adapters';
import { openParts, SPEND_PAGE_PARTS } from '#shared/app';
import { parsePolicy } from '#shared/field-policy';
import { systemIds as newId, systemRandom as random } from '#shared/kernel/adapters';
import { parseSecrets, type SecretKey, type Secrets, secretName } from '#shared/secrets';
import { createParameterSource } from '#shared/secrets/adapters';
import type { TableName } from '#shared/store';
import { createDynamoStore, watchStoreClock } from '#shared/store/adapters';
import type { LaneQueues } from '#shared/work-queue';
import { createSqsQueue } from '#shared/work-queue/adapters';
import type { CliIo } from '../terminal/cli-io.ts';
import { type Connection, NO_LOG, type ReadingConnection } from './connection.ts';
import { readStack } from './deployed.ts';
import { openServices, openTransport } from './open-services.ts';
import type { StackOutputs } from './schemas.ts';
import { openAccess, type StackAccess } from './stack-access.ts';

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
    ...{ client: documents, tables: tablesOf(outputs), policy, newId, random, clock: io.clock },
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
      ...{ policy, clock: io.clock, logger: NO_LOG, isReal: true, stack, path: `the stack ${name}` },
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

async function readSecrets(
  { SecretPrefix }: StackOutputs,
  access: StackAccess,
): Promise<Pick<Secrets, (typeof KEYS)[number]>> {
  const source = createParameterSource(access('SSM'));
  const read = async (key: SecretKey) => [key, await source(secretName(SecretPrefix, key))] as const;
  return parseSecrets(KEYS, new Map(await Promise.all(KEYS.map(read))));
}

function tablesOf(outputs: StackOutputs): Readonly<Record<TableName, string>> {
  return { ledger: outputs.LedgerTable, proof: outputs.ProofTable, state: outputs.StateTable };
}

function queuesOf(client: SQSClient, outputs: StackOutputs): LaneQueues {
  const queue = (queueUrl: string) => createSqsQueue({ client, queueUrl });
  const { UrgentQueueUrl, UrgentDeadLettersUrl } = outputs;
  const { LiveQueueUrl, LiveDeadLettersUrl, BulkQueueUrl, BulkDeadLettersUrl } = outputs;
  return {
    urgent: { queue: queue(UrgentQueueUrl), dead: queue(UrgentDeadLettersUrl) },
    live: { queue: queue(LiveQueueUrl), dead: queue(LiveDeadLettersUrl) },
    bulk: { queue: queue(BulkQueueUrl), dead: queue(BulkDeadLettersUrl) },
  };
}
