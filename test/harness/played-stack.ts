import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServedStandIns } from './console.ts';
import { TABLES } from './dynamo-engine.ts';

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
export async function outputsOver({ path, sqs }: Pick<ServedStandIns, 'path' | 'sqs'>) {
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
