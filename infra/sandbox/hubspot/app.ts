import { createHash } from 'node:crypto';
import {
  ApiError,
  asObject,
  badRequest,
  type Call,
  isJsonObject,
  listIn,
  optionalText,
  type Reply,
  type Route,
  requiredText,
  textsIn,
} from './http.ts';
import type { SandboxSettings } from './settings.ts';
import {
  type ObjectTypeId,
  objectTypeIdOf,
  type Portal,
  type StoredExecution,
  singularName,
  VIEWER,
} from './state.ts';
import type { Verb } from './verbs.ts';
import type { Send } from './webhooks.ts';
import { signV3 } from './webhooks.ts';

/** The places of the app in HubSpot: its card on a record, and its home page. */
export type AppPlace = 'card' | 'home';

/** Returns the code of one place and of the page around it, bundled for a browser. */
export type Script = (place: AppPlace) => Promise<string>;

interface Asked {
  readonly url: string;
  readonly method: string;
  /** JSON text, or an empty text. */
  readonly body: string;
}

/** The person at the screen. */
interface Viewer {
  readonly userId: number;
  readonly userEmail: string;
}

/**
 * Builds a request of `hubspot.fetch` as HubSpot's servers send it. They add the person to the query, and sign the
 * request by version 3.
 */
export function extensionRequest(
  { clientSecret, portalId, appId }: SandboxSettings,
  { asked, viewer, nowMs }: { readonly asked: Asked; readonly viewer: Viewer; readonly nowMs: number },
): Request {
  const url = new URL(asked.url);
  const { userId, userEmail } = viewer;
  for (const [name, value] of Object.entries({ userId, portalId, userEmail, appId }))
    url.searchParams.set(name, String(value));
  const signed = { secret: clientSecret, method: asked.method, url: url.href, body: asked.body };
  return requestOf(
    { ...asked, url: url.href },
    {
      'x-hubspot-signature-v3': signV3({ ...signed, timestamp: nowMs }),
      'x-hubspot-request-timestamp': String(nowMs),
    },
  );
}

/** Builds a request of a workflow's action. HubSpot signs it by version 2, which contains no time. */
export function actionRequest({ clientSecret }: SandboxSettings, asked: Asked): Request {
  const signature = createHash('sha256')
    .update(`${clientSecret}${asked.method}${asked.url}${asked.body}`, 'utf8')
    .digest('hex');
  return requestOf(asked, { 'x-hubspot-signature': signature, 'x-hubspot-signature-version': 'v2' });
}

function requestOf({ url, method, body }: Asked, headers: Readonly<Record<string, string>>): Request {
  const type = body === '' ? {} : { 'content-type': 'application/json' };
  const init = { method, headers: { ...headers, ...type } };
  return new Request(url, body === '' ? init : { ...init, body });
}

interface Enrolment {
  readonly portal: Portal;
  readonly send: Send;
  readonly typeId: ObjectTypeId;
  readonly recordIds: readonly string[];
}

/** Sends each record to the app's action in a separate request, as a workflow does. */
export async function enrol({ portal, send, typeId, recordIds }: Enrolment): Promise<StoredExecution[]> {
  const executions = recordIds.map((recordId): StoredExecution => {
    const callbackId = `ap-${portal.state.settings.portalId}-${portal.state.executions.length + 1}`;
    const execution: StoredExecution = { callbackId, typeId, recordId, state: 'held', outputs: {} };
    portal.state.executions.push(execution);
    return execution;
  });
  await Promise.all(executions.map((execution) => execute({ portal, send }, execution)));
  return executions;
}

/** Sends one execution. Also used to repeat it, because HubSpot repeats unanswered requests. */
async function execute(
  { portal, send }: Pick<Enrolment, 'portal' | 'send'>,
  execution: StoredExecution,
): Promise<void> {
  const { settings } = portal.state;
  const { callbackId, typeId, recordId: objectId } = execution;
  const body = JSON.stringify({
    callbackId,
    origin: { portalId: settings.portalId, actionDefinitionId: 1, actionDefinitionVersion: 1 },
    context: { source: 'WORKFLOWS', workflowId: 1 },
    object: { objectId: Number(objectId), objectType: singularName(typeId).toUpperCase() },
    inputFields: {},
  });
  const url = `${settings.webhookUrl}/workflow-actions/enrich`;
  const response = await send(actionRequest(settings, { url, method: 'POST', body }));
  if (!response.ok) execution.state = 'failed';
}

/** HubSpot's route "Complete a batch of callbacks". */
export const CALLBACK_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/automation/actions/callbacks/{version}/complete',
    needs: 'automation',
    run: completeAll,
  },
];

function completeAll({ portal, body }: Call): Reply {
  const inputs = listIn(asObject(body), 'inputs').map((input) => asObject(input, 'an input'));
  if (inputs.length > MOST_CALLBACKS)
    throw new ApiError(badRequest(`At most ${MOST_CALLBACKS} callbacks at once.`));
  for (const input of inputs) {
    const callbackId = requiredText(input, 'callbackId');
    const execution = portal.state.executions.find((each) => each.callbackId === callbackId);
    // An execution that is already finished is ignored.
    if (execution?.state !== 'held') continue;
    const given = isJsonObject(input['outputFields']) ? input['outputFields'] : {};
    execution.outputs = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, String(value)]),
    );
    execution.state = 'completed';
  }
  return { status: 204 };
}

const MOST_CALLBACKS = 100;

/** HubSpot's own actions around an app's card and workflow action. */
export const EXTENSION_VERBS: Readonly<Record<string, (verb: Verb) => Promise<Reply>>> = {
  'POST /_sandbox/fetch': fetchForCard,
  'POST /_sandbox/enrol': enrolRecords,
  'POST /_sandbox/execute': executeAgain,
  'GET /_sandbox/executions': async ({ portal }) => ({
    status: 200,
    body: { executions: portal.state.executions },
  }),
};

/**
 * Serves `hubspot.fetch` of a card. It signs the request, and sends it only to the app's own addresses. `userId`
 * names another viewer.
 */
async function fetchForCard({ portal, actions, body }: Verb): Promise<Reply> {
  const wanted = asObject(body);
  const url = requiredText(wanted, 'url');
  const { settings } = portal.state;
  if (settings.webhookUrl === null || !url.startsWith(`${settings.webhookUrl}/`))
    throw new ApiError(badRequest(`The app may not fetch from ${url}: it is no permitted URL.`));
  const method = optionalText(wanted, 'method') ?? 'GET';
  const asked = { url, method, body: optionalText(wanted, 'body') ?? '' };
  const viewer = { ...VIEWER, userId: Number(optionalText(wanted, 'userId') ?? VIEWER.userId) };
  const response = await sentTwice(actions.send, () =>
    extensionRequest(settings, { asked, viewer, nowMs: portal.clock.now() }),
  );
  return { status: 200, body: { status: response.status, text: await response.text() } };
}

/** Sends a request, and repeats it once after a failed connection or a 5xx, as HubSpot does. */
async function sentTwice(send: Send, request: () => Request): Promise<Response> {
  try {
    const first = await send(request());
    if (first.status < 500) return first;
  } catch {
    // The second attempt decides.
  }
  return send(request());
}

async function enrolRecords({ portal, actions, body }: Verb): Promise<Reply> {
  const wanted = asObject(body);
  const typeId = objectTypeIdOf(requiredText(wanted, 'objectType'));
  if (!typeId) throw new ApiError(badRequest('The sandbox has contacts and companies.'));
  const recordIds = textsIn(wanted, 'ids');
  const executions = await enrol({ portal, send: actions.send, typeId, recordIds });
  return { status: 200, body: { executions } };
}

/** Repeats the request of an execution without changes. */
async function executeAgain({ portal, actions, body }: Verb): Promise<Reply> {
  const callbackId = requiredText(asObject(body), 'callbackId');
  const execution = portal.state.executions.find((each) => each.callbackId === callbackId);
  if (!execution) throw new ApiError(badRequest('No execution has this callback id.'));
  await execute({ portal, send: actions.send }, execution);
  return { status: 200, body: { execution } };
}
