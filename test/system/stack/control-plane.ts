import { type Served, serveSandbox } from '../../../infra/sandbox/serve.ts';
import { lambdaAnswer, type PlayedFunction } from './played-lambda.ts';

type Json = Readonly<Record<string, unknown>>;

/** What stands in the account; tests look at it and change it. */
export interface PlayedAccount {
  readonly parameters: Map<string, string>;
  /** By parameter, the key of KMS that it was encrypted with; empty for that of AWS. */
  readonly keys: Map<string, string>;
  readonly tables: Set<string>;
  /** Tables that hold an item. */
  readonly filledTables: Set<string>;
  /** By name, its status. */
  readonly stacks: Map<string, string>;
  /** By stack, the outputs that it has beside those of every stack like ours. */
  readonly outputs: Map<string, Readonly<Record<string, string>>>;
  /** By stack, the names of its tables. */
  readonly owned: Map<string, readonly string[]>;
  readonly functions: Map<string, PlayedFunction>;
  /** Names of the calls that change something, in their order. */
  readonly changes: string[];
}

export function playedAccount(): PlayedAccount {
  return {
    parameters: new Map(),
    keys: new Map(),
    tables: new Set(),
    filledTables: new Set(),
    stacks: new Map(),
    outputs: new Map(),
    owned: new Map(),
    functions: new Map(),
    changes: [],
  };
}

/** Parameter Store, DynamoDB, Lambda and CloudFormation, as far as the deployment's own calls go. */
export async function serveAccount(account: PlayedAccount): Promise<Served & { readonly access: Access }> {
  const served = await serveSandbox({ handle: (request) => accountAnswer(account, request), port: 0 });
  return { ...served, access: accessTo(served.url) };
}

type Access = ReturnType<typeof accessTo>;

function accessTo(endpoint: string) {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return { endpoint, region: 'eu-central-1', credentials, maxAttempts: 1 };
}

async function accountAnswer(account: PlayedAccount, request: Request): Promise<Response> {
  const text = await request.text();
  const played = await lambdaAnswer(account.functions, request, text);
  if (played) return played;
  const [service = '', call = ''] = (request.headers.get('x-amz-target') ?? '').split('.');
  if (service === '') return stackAnswer(account, text);
  const wish: Json = JSON.parse(text);
  const answer = (service.startsWith('DynamoDB') ? tableAnswer : parameterAnswer)(account, { call, wish });
  if (!/^(?:Get|Describe|Scan)/.test(call)) account.changes.push(call);
  return answer ?? refused(call.includes('Parameter') ? 'ParameterNotFound' : 'ResourceNotFoundException');
}

function refused(name: string): Response {
  return Response.json({ __type: name, message: `${name} of the test` }, { status: 400 });
}

interface Called {
  readonly call: string;
  readonly wish: Json;
}

function parameterAnswer({ parameters, keys }: PlayedAccount, { call, wish }: Called): Response | undefined {
  if (call === 'DescribeParameters') {
    const [filter]: { Values: string[] }[] = Object(wish['ParameterFilters']);
    const names = filter?.Values.filter((name) => parameters.has(name)) ?? [];
    return Response.json({ Parameters: names.map((Name) => ({ Name })) });
  }
  const name = String(wish['Name']);
  const value = parameters.get(name);
  if (call === 'PutParameter') {
    if (value !== undefined && wish['Overwrite'] !== true) return refused('ParameterAlreadyExists');
    parameters.set(name, String(wish['Value']));
    keys.set(name, String(wish['KeyId'] ?? ''));
  } else if (value === undefined) return undefined;
  if (call === 'DeleteParameter') parameters.delete(name);
  return Response.json({ Parameter: { Value: value } });
}

function tableAnswer({ tables, filledTables }: PlayedAccount, { call, wish }: Called): Response | undefined {
  const TableName = String(wish['TableName']);
  if (call === 'Scan')
    return Response.json({ Items: filledTables.has(TableName) ? [{ pk: { S: 'x' } }] : [] });
  if (call === 'DeleteTable') tables.delete(TableName);
  return call === 'DeleteTable' || tables.has(TableName)
    ? Response.json({ Table: { TableName, TableStatus: 'ACTIVE' } })
    : undefined;
}

/** CloudFormation speaks XML. */
function stackAnswer({ stacks, outputs, owned }: PlayedAccount, text: string): Response {
  const wish = new URLSearchParams(text);
  const name = wish.get('StackName') ?? '';
  const found = [...stacks].filter(([stack]) => name === '' || stack === name);
  const headers = { 'content-type': 'text/xml' };
  if (found.length === 0 && name !== '') {
    const error = `<Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message></Error>`;
    return new Response(`<ErrorResponse>${error}</ErrorResponse>`, { headers, status: 400 });
  }
  if (wish.get('Action') === 'ListStackResources') {
    const members = (owned.get(name) ?? []).map(
      (id) => `<member><PhysicalResourceId>${id}</PhysicalResourceId></member>`,
    );
    const summaries = `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>`;
    const listed = `<ListStackResourcesResult>${summaries}</ListStackResourcesResult>`;
    return new Response(`<ListStackResourcesResponse>${listed}</ListStackResourcesResponse>`, { headers });
  }
  const xml = found.map(([stack, status]) => stackXml(stack, { status, outputs: outputs.get(stack) }));
  const result = `<DescribeStacksResult><Stacks>${xml.join('')}</Stacks></DescribeStacksResult>`;
  return new Response(`<DescribeStacksResponse>${result}</DescribeStacksResponse>`, { headers });
}

function stackXml(
  name: string,
  { status, outputs = {} }: { status: string; outputs: Readonly<Record<string, string>> | undefined },
): string {
  const id = `arn:aws:cloudformation:eu-central-1:123456789012:stack/${name}/1`;
  const members = Object.entries({
    ...(name.endsWith('-data') && { LastingSettings: '{}' }),
    ...outputs,
  }).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${value.replaceAll('"', '&quot;')}</OutputValue></member>`,
  );
  return `<member><StackName>${name}</StackName><StackId>${id}</StackId><StackStatus>${status}</StackStatus><Outputs>${members.join('')}</Outputs></member>`;
}
