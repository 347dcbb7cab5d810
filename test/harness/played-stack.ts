import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveSandbox } from '../../infra/sandbox/serve.ts';
import { openAwsGate } from './aws-gate.ts';
import { type ServedStandIns, startServedStandIns } from './console.ts';
import { startDynamoEngine, TABLES } from './dynamo-engine.ts';

/** Describes a stack as CloudFormation does. */
export interface PlayedStack {
  readonly name: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly policy: object;
}

const XML = { headers: { 'content-type': 'text/xml' } };

/** Answers as CloudFormation does for one stack. @param body of a request, as a form */
export function cloudFormationAnswer(body: string, { name, outputs, policy }: PlayedStack): Response {
  const parameters = new URLSearchParams(body);
  const asked = parameters.get('StackName');
  if (asked !== name) {
    const error = `<Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${asked} does not exist</Message></Error>`;
    return new Response(`<ErrorResponse>${error}</ErrorResponse>`, { ...XML, status: 400 });
  }
  if (parameters.get('Action') === 'GetTemplate') {
    const template = JSON.stringify({ Metadata: { Policy: JSON.stringify(policy) } });
    const result = `<GetTemplateResult><TemplateBody>${template}</TemplateBody></GetTemplateResult>`;
    return new Response(`<GetTemplateResponse>${result}</GetTemplateResponse>`, XML);
  }
  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${value.replaceAll('"', '&quot;')}</OutputValue></member>`,
  );
  const stack = `<member><StackName>${name}</StackName><StackStatus>UPDATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs></member>`;
  const result = `<DescribeStacksResult><Stacks>${stack}</Stacks></DescribeStacksResult>`;
  return new Response(`<DescribeStacksResponse>${result}</DescribeStacksResponse>`, XML);
}

/** Composes a stack's outputs from the tables of an engine, and the queues and services of a laptop's stand-ins. */
async function outputsOver({ path, sqs }: Pick<ServedStandIns, 'path' | 'sqs'>) {
  const running = JSON.parse(await readFile(join(path, 'running.json'), 'utf8'));
  const { urgent, live, bulk } = sqs.queueUrls;
  const outputs: Record<string, string> = {
    WebhookUrl: 'http://127.0.0.1:9/hubspot',
    LedgerTable: TABLES.ledger,
    ProofTable: TABLES.proof,
    StateTable: TABLES.state,
    UrgentQueueUrl: urgent,
    LiveQueueUrl: live,
    BulkQueueUrl: bulk,
    UrgentDeadLettersUrl: `${urgent}-dead`,
    LiveDeadLettersUrl: `${live}-dead`,
    BulkDeadLettersUrl: `${bulk}-dead`,
    SecretPrefix: '/crm',
    AlarmTopic: 'arn:aws:sns:eu-central-1:123456789012:alarms',
    InstalledAt: '2030-01-01T00:00:00Z',
    DataServiceBaseUrl: running.dataServiceBaseUrl,
    HubSpotBaseUrl: running.hubSpotBaseUrl,
    HubSpotAppId: '7001',
    HubSpotPortalId: '24170001',
  };
  return { outputs };
}

export type PlayedAws = Awaited<ReturnType<typeof playStack>>;

/**
 * Tables of an engine, and queues and services of a laptop's stand-ins, as a stack has them.
 * @param control answers for all of AWS but tables and queues
 * @param keyId of whoever calls
 */
export async function playStack(control: (request: Request) => Promise<Response>, keyId: string) {
  const environment = { ...process.env };
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: keyId, AWS_SECRET_ACCESS_KEY: 'local' });
  const standIns = await startServedStandIns();
  const engine = await startDynamoEngine();
  const { endpoint } = standIns.sqs;
  const gate = await openAwsGate({
    DynamoDB_20120810: { prefix: 'dynamodb', url: engine.endpoint },
    AmazonSQS: { prefix: 'sqs', url: endpoint },
  });
  const aws = await serveSandbox({ handle: control, port: 0 });
  const { outputs } = await outputsOver(standIns);
  return {
    standIns,
    gate,
    controlUrl: aws.url,
    outputs: JSON.parse(JSON.stringify(outputs).replaceAll(endpoint, gate.url)) as typeof outputs,
    /** Past the gate. */
    tablesUrl: engine.endpoint,
    env: {
      AWS_REGION: 'eu-central-1',
      AWS_ENDPOINT_URL: aws.url,
      AWS_ENDPOINT_URL_DYNAMODB: gate.url,
      AWS_ENDPOINT_URL_SQS: gate.url,
    },
    close: async () => {
      await Promise.all([gate.close(), aws.close(), engine.close()]);
      await standIns.stop();
      for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
      Object.assign(process.env, environment);
    },
  };
}
