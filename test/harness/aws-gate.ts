import { type Served, serveSandbox } from '../../infra/sandbox/serve.ts';

/** A permission that a request of AWS needs. A batch or a transaction needs one for each of its items. */
export interface AwsCall {
  /** The access key's id, by which the gate identifies a caller, as IAM does. */
  readonly caller: string;
  /** `dynamodb:PutItem` */
  readonly action: string;
  /** The name of a table, queue, secret or parameter; for an index, `table/index/name`. */
  readonly resource: string;
  /** Key of the item, or partition of the index, that the call names (`dynamodb:LeadingKeys`). */
  readonly leadingKey?: string | undefined;
}

export interface AwsGate extends Served {
  readonly calls: readonly AwsCall[];
  /** The next call of this kind is executed, but its answer is lost, so the SDK sends it again. */
  loseAnswer(kind: AwsCall): void;
  /** From now on, every request of this caller is refused, as if its function had been killed. */
  cutOff(caller: string): void;
  /** Like `cutOff`, from the caller's next call of this kind on, which is refused too. */
  cutOffAt(kind: AwsCall): void;
  reconnect(caller: string): void;
  /** Answers that are still to be lost. A suite that ends with some has not tested its claim. */
  answersToLose(): number;
}

/** Keyed by the service in `X-Amz-Target` (AWS JSON protocols): its name in IAM, and its address. */
export type Services = Readonly<Record<string, Service>>;

interface Service {
  readonly prefix: string;
  readonly url: string;
}

/** IAM has no batch actions: a batch needs the permission of the single call (SQS, "Actions"). */
const SINGLE: Readonly<Record<string, string>> = {
  SendMessageBatch: 'SendMessage',
  DeleteMessageBatch: 'DeleteMessage',
  ChangeMessageVisibilityBatch: 'ChangeMessageVisibility',
};

/** Opens a proxy before the embedded services. It records each call and its caller, and forwards it. */
export async function openAwsGate(services: Services): Promise<AwsGate> {
  const calls: AwsCall[] = [];
  const toLose = new Set<string>();
  const cut = new Set<string>();
  const toCut = new Set<string>();
  const answer = async (request: Request): Promise<Response> => {
    const body = await request.text();
    const [target = '', operation = ''] = (request.headers.get('x-amz-target') ?? '').split('.');
    const service = services[target];
    if (!service) throw new Error(`No service answers ${request.method} ${request.url} ${target}.`);
    const caller = callerOf(request);
    const needed = neededFor(operation, JSON.parse(body)).map((each) => ({
      ...each,
      caller,
      action: `${service.prefix}:${each.action}`,
    }));
    calls.push(...needed);
    if (needed.some((each) => toCut.delete(keyOf(each)))) cut.add(caller);
    if (cut.has(caller)) return failure(400, 'AccessDeniedException');
    const passed = await passOn(request, service, body);
    const lost = needed.map(keyOf).filter((key) => toLose.delete(key));
    return lost.length > 0 ? failure(500, 'InternalServerError') : passed;
  };
  const handle = async (request: Request): Promise<Response> => {
    const response = await answer(request);
    // The test's virtual time, which may differ from the machine's.
    response.headers.set('date', new Date().toUTCString());
    return response;
  };
  return {
    ...(await serveSandbox({ port: 0, handle })),
    calls,
    loseAnswer: (kind) => void toLose.add(keyOf(kind)),
    cutOff: (caller) => void cut.add(caller),
    cutOffAt: (kind) => void toCut.add(keyOf(kind)),
    reconnect: (caller) => void cut.delete(caller),
    answersToLose: () => toLose.size,
  };
}

function keyOf({ caller, action, resource }: AwsCall): string {
  return `${caller} ${action} ${resource}`;
}

/** `Authorization: AWS4-HMAC-SHA256 Credential=<access key id>/<date>/...` */
function callerOf({ headers }: Request): string {
  return /Credential=([^/]+)\//.exec(headers.get('authorization') ?? '')?.[1] ?? 'nobody';
}

/** IAM's names of a transaction's parts (DynamoDB, "Using IAM with transactions"). */
const IN_TRANSACTION: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

function neededFor(operation: string, body: Body): Omit<AwsCall, 'caller'>[] {
  const { RequestItems, TransactItems } = body;
  if (operation === 'BatchGetItem')
    return Object.entries<Body>(Object(RequestItems)).flatMap(([resource, { Keys }]) =>
      [Keys].flat().map((key) => ({ action: operation, resource, leadingKey: keyIn(key) })),
    );
  if (operation === 'TransactWriteItems')
    return [TransactItems]
      .flat()
      .flatMap((item) =>
        Object.entries<Body>(Object(item)).map(([part, request]) =>
          neededForOne(IN_TRANSACTION[part] ?? part, request),
        ),
      );
  return [neededForOne(SINGLE[operation] ?? operation, body)];
}

function neededForOne(action: string, body: Body): Omit<AwsCall, 'caller'> {
  const { Item, Key, ExpressionAttributeValues } = body;
  const leadingKey = keyIn(Item ?? Key) ?? Object(Object(ExpressionAttributeValues)[':part']).S;
  return { action, resource: resourceIn(body), leadingKey };
}

function keyIn(item: unknown): string | undefined {
  return Object(Object(item).pk).S;
}

type Body = Readonly<Record<string, unknown>>;

/** A call that names its resource in another way is in no policy, and so the test fails. */
function resourceIn(body: Body): string {
  const { TableName, IndexName, QueueUrl, SecretId, Name } = body;
  if (IndexName !== undefined) return `${TableName}/index/${IndexName}`;
  const queue = typeof QueueUrl === 'string' ? QueueUrl.split('/').at(-1) : undefined;
  return String(TableName ?? queue ?? SecretId ?? Name ?? 'a resource of another kind');
}

/** Headers of one connection, or of a body that `fetch` has decoded. */
const HOP_HEADERS = ['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'expect'];

async function passOn(request: Request, to: Service, body: string): Promise<Response> {
  const { pathname } = new URL(request.url);
  const headers = withoutHops(request.headers);
  const response = await fetch(`${to.url}${pathname}`, { method: request.method, headers, body });
  const answered = withoutHops(response.headers);
  answered.delete('content-encoding');
  return new Response(await response.arrayBuffer(), { status: response.status, headers: answered });
}

function withoutHops(headers: Headers): Headers {
  const kept = new Headers(headers);
  for (const name of HOP_HEADERS) kept.delete(name);
  return kept;
}

function failure(status: number, type: string): Response {
  return Response.json({ __type: type, message: 'On purpose.' }, { status });
}
