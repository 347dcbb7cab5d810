import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { Template } from 'aws-cdk-lib/assertions';
import type { AppSettings } from '#shared/app';
import { LANES, type Lane } from '#shared/crm';
import { parsePolicy } from '#shared/field-policy';
import { systemClock as clock, systemIds as newId, systemRandom as random } from '#shared/kernel/adapters';
import { createDynamoStore } from '#shared/store/adapters';
import { type AwsGate, openAwsGate } from '../../harness/aws-gate.ts';
import { documentsOf, engineClient, TABLE_VARIABLES, TABLES } from '../../harness/dynamo-engine.ts';
import type { EmbeddedQueues } from '../../harness/embedded-queues.ts';
import { WEBHOOK_URL } from '../../harness/hubspot-portal.ts';
import { startSurroundings } from '../../harness/lambda-surroundings.ts';
import { gatewayEvent } from '../../harness/server.ts';
import { type Functions, openFunctions } from './deployed-functions.ts';
import { openVendors } from './vendors.ts';

/** What is called otherwise in the embedded services: tables, and the stack's logical ids. */
const TABLE_NAMES = {
  'crm-enrichment-proof': TABLES.proof,
  'crm-enrichment-ledger': TABLES.ledger,
  'crm-enrichment-state': TABLES.state,
};
const QUEUE_NAMES = { QueuesUrgent: 'urgent', QueuesLive: 'live', QueuesBulk: 'bulk' };

/** By the name in a recorded call, the logical id or the name in the template. */
export const LOGICAL_IDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...TABLE_NAMES, ...QUEUE_NAMES }).map(([id, name]) => [name, id]),
);

/** A day is charged at what the course costs many times over; doubts end after a day. */
const POLICY_FILE = fileURLToPath(new URL('course-policy.json', import.meta.url));

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/**
 * The six functions in the environments of a synthesised template, before the embedded services and the vendors'
 * stand-ins, with a gate between them that records what they call.
 */
export async function openInstallation(template: Template) {
  const surroundings = await startSurroundings();
  const gate = await openGate(surroundings.env);
  const vendors = await openVendors((request) => receive(functions, request));
  const screen = atTheScreen(vendors);
  const queueUrl = (name: string) => `${gate.url}/000000000000/${name}`;
  const functions = openFunctions({
    template,
    names: {
      QueuesUrgent: queueUrl('urgent'),
      QueuesLive: queueUrl('live'),
      QueuesBulk: queueUrl('bulk'),
      InstalledAt: new Date(Date.now() - 1).toISOString(),
    },
    instead: { POLICY_FILE, PUBLIC_URL: WEBHOOK_URL, ...TABLE_VARIABLES },
    added: { ...vendors.env, ...SILENCE, ...endpoints(gate) },
    loadedAs: new URL(gate.url).port,
  });
  const { queues } = surroundings;
  const client = engineClient(surroundings.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
  return {
    gate,
    vendors,
    /** For what a function finds there and the course does not lead to. */
    settings: settingsOver(client),
    invoke: functions.invoke,
    ...screen,
    deliverWebhooks: () => vendors.portal.sandbox.deliverWebhooks(),
    work: async () => {
      for (const lane of LANES) await workOn({ queues, lane, functions });
    },
    close: async () => {
      client.destroy();
      await Promise.all([gate.close(), vendors.close()]);
      await surroundings.close();
    },
  };
}

function settingsOver(client: DynamoDBClient): AppSettings {
  const policy = parsePolicy(JSON.parse(readFileSync(POLICY_FILE, 'utf8')));
  const store = createDynamoStore({
    client: documentsOf(client),
    tables: TABLES,
    clock,
    newId,
    random,
    policy,
    storeClock: { offsetMs: () => 0 },
  });
  return { store, clock, newId, random, policy };
}

const SILENCE = { POWERTOOLS_LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' };

function openGate(env: Readonly<Record<string, string>>): Promise<AwsGate> {
  const at = (service: string) => env[`AWS_ENDPOINT_URL_${service}`] ?? '';
  return openAwsGate({
    DynamoDB_20120810: { prefix: 'dynamodb', url: at('DYNAMODB') },
    AmazonSQS: { prefix: 'sqs', url: at('SQS') },
    AmazonSSM: { prefix: 'ssm', url: at('SSM') },
  });
}

/** Of every service: a call of one that is not embedded here is an error, and no call of AWS. */
function endpoints({ url }: AwsGate) {
  return { AWS_ENDPOINT_URL: url };
}

/** Stands where API Gateway does. */
async function receive({ invoke }: Functions, request: Request): Promise<Response> {
  const { pathname: rawPath, search } = new URL(request.url);
  const name = request.url.startsWith(`${WEBHOOK_URL}/`) ? 'serve-hubspot' : 'receive-webhook';
  const event = { ...(await gatewayEvent(request)), rawPath, rawQueryString: search.slice(1) };
  const result = Object(await invoke(name, event));
  return new Response(result.body, { status: result.statusCode, headers: result.headers });
}

/** What somebody does at a record, and a workflow with some. */
function atTheScreen({ portal }: Awaited<ReturnType<typeof openVendors>>) {
  const verb = async (name: string, body: object) => {
    const init = { method: 'POST', body: JSON.stringify(body) };
    const response = await portal.sandbox.handle(
      new Request(`https://screen.example/_sandbox/${name}`, init),
    );
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  return {
    fetchForCard: async (path: string, request?: object) => {
      const post = request && { method: 'POST', body: JSON.stringify(request) };
      const answer = Object(await verb('fetch', { url: `${WEBHOOK_URL}/${path}`, ...post }));
      if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    },
    enrol: (objectType: string, ids: readonly string[]) => verb('enrol', { objectType, ids }),
  };
}

interface Source {
  readonly queues: EmbeddedQueues;
  readonly lane: Lane;
  readonly functions: Functions;
}

/** Does what Lambda's event source does, until the queue shows no more; failed messages stay, out of sight. */
async function workOn({ queues: { sqs, queueUrls }, lane, functions }: Source): Promise<void> {
  const QueueUrl = queueUrls[lane];
  for (;;) {
    const request = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 5 });
    const { Messages = [] } = await sqs.send(request);
    if (Messages.length === 0) return;
    const failed = await workOff(functions, Messages);
    for (const { MessageId = '', ReceiptHandle } of Messages) {
      if (!failed.has(MessageId)) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }
}

async function workOff({ invoke }: Functions, messages: readonly Message[]): Promise<ReadonlySet<string>> {
  const Records = messages.map(({ MessageId, Body }) => ({ messageId: MessageId, body: Body }));
  const { batchItemFailures } = Object(await invoke('enrich-records', { Records }));
  return new Set(batchItemFailures.map((failure: object) => Object(failure).itemIdentifier));
}
