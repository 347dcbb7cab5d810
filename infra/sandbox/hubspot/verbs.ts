import { createHash } from 'node:crypto';
import {
  ApiError,
  asObject,
  badRequest,
  type Call,
  isJsonObject,
  type JsonObject,
  listIn,
  notFound,
  optionalText,
  type Reply,
  type Route,
  requiredText,
  textsIn,
} from './http.ts';
import { createByPerson, editByPerson } from './input.ts';
import { requestReport } from './limits.ts';
import {
  associate,
  associatedWith,
  companyFromEmail,
  dissociate,
  mergeRecords,
  pairOf,
} from './record-routes.ts';
import {
  archiveRecord,
  eraseRecord,
  findRecord,
  iso,
  type LifeChange,
  readValue,
  restoreRecord,
} from './records.ts';
import { matchingRecords } from './search.ts';
import { mergeSettings, type SandboxSettings } from './settings.ts';
import {
  type Actor,
  type ObjectTypeId,
  objectTypeIdOf,
  type Portal,
  personActor,
  type StoredExecution,
  type StoredRecord,
  singularName,
  VIEWER,
} from './state.ts';
import { announceAgain, type DeliveryReport, type Send, signV3 } from './webhooks.ts';

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
const EXTENSION_VERBS: Readonly<Record<string, (verb: Verb) => Promise<Reply>>> = {
  'POST /_sandbox/fetch': fetchForCard,
  'POST /_sandbox/search': async (verb) => searchForPage(verb),
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

/** Serves the hook `useCrmSearch` of a page, with the answer of its worker API. Only its first page of results. */
function searchForPage({ portal, body }: Verb): Reply {
  const wanted = asObject(body);
  const typeId = typeNamed(requiredText(wanted, 'objectType'));
  const found = matchingRecords(portal, { typeId, body: wanted });
  const pageLength = Number(wanted['pageLength'] ?? DEFAULT_PAGE_LENGTH);
  const names = textsIn(wanted, 'properties');
  const results = found.slice(0, pageLength).map((record) => ({
    objectId: Number(record.id),
    properties: Object.fromEntries(names.map((name) => [name, readValue(portal, { record, name }) || null])),
  }));
  return {
    status: 200,
    body: { data: { results, total: found.length, hasMore: found.length > pageLength } },
  };
}

const DEFAULT_PAGE_LENGTH = 10;

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

export interface SandboxActions {
  readonly reset: () => void;
  readonly deliver: () => Promise<DeliveryReport>;
  /** Sends requests to the app. */
  readonly send: Send;
  readonly script: Script | undefined;
  readonly samples: Samples | undefined;
}

/** Sample properties of people or companies. */
export type Samples = (typeId: ObjectTypeId) => Promise<readonly Readonly<Record<string, string>>[]>;

/** A request to a verb that HubSpot does not have. */
interface Verb {
  readonly portal: Portal;
  readonly actions: SandboxActions;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

const RECORDS_MOST = 1_000;

const VERBS: Readonly<Record<string, (verb: Verb) => Reply | Promise<Reply>>> = {
  'GET /_sandbox/records': listRecords,
  'GET /_sandbox/requests': ({ portal }) => ({ status: 200, body: requestReport(portal) }),
  'GET /_sandbox/settings': ({ portal }) => ({ status: 200, body: portal.state.settings }),
  'PUT /_sandbox/settings': changeSettings,
  'POST /_sandbox/reset': reset,
  'POST /_sandbox/create': create,
  'POST /_sandbox/edit': edit,
  'POST /_sandbox/archive': (verb) => changeLifecycle(verb, archiveRecord),
  'POST /_sandbox/restore': (verb) => changeLifecycle(verb, restoreRecord),
  'POST /_sandbox/erase': (verb) => changeLifecycle(verb, eraseRecord),
  'POST /_sandbox/associate': associatePair,
  'POST /_sandbox/dissociate': dissociatePair,
  'POST /_sandbox/merge': merge,
  'POST /_sandbox/redeliver': redeliver,
  ...EXTENSION_VERBS,
  'POST /_sandbox/deliver': async ({ actions }) => ({ status: 200, body: await actions.deliver() }),
};

/**
 * Answers a verb that HubSpot does not have: edits by people, reports, settings. A verb needs no token. Rate limits and
 * simulated faults do not apply to it.
 */
export function sandboxReply(
  request: Verb & { readonly method: string; readonly path: string },
): Reply | Promise<Reply> {
  const run = VERBS[`${request.method} ${request.path}`];
  if (!run) throw new ApiError(notFound(`The sandbox has no verb ${request.method} ${request.path}.`));
  return run(request);
}

function listRecords({ portal, query }: Verb): Reply {
  const kind = query.get('kind');
  const limit = Number(query.get('limit') ?? RECORDS_MOST);
  const id = query.get('id');
  const types: ObjectTypeId[] = kind === null ? ['0-1', '0-2'] : [typeNamed(kind)];
  const records = types
    .flatMap((typeId) => Object.values(portal.state.records[typeId]))
    .filter((record) => id === null || record.id === id)
    .slice(0, limit);
  return { status: 200, body: { records: records.map((record) => wholeRecord(portal, record)) } };
}

function changeSettings({ portal, body }: Verb): Reply {
  try {
    portal.state.settings = mergeSettings(portal.state.settings, asObject(body));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(badRequest(error instanceof Error ? error.message : String(error)));
  }
  if (isJsonObject(body) && 'faults' in body) portal.state.faultHits = [];
  portal.wake.resolve();
  return { status: 200, body: portal.state.settings };
}

function reset({ actions }: Verb): Reply {
  actions.reset();
  return { status: 204 };
}

function create({ portal, body }: Verb): Reply {
  const wanted = asObject(body);
  const typeId = typeNamed(requiredText(wanted, 'objectType'));
  const actor = actorIn(wanted);
  const toIds = listIn(wanted, 'associations').map((one) =>
    isJsonObject(one) ? requiredText(one, 'id') : String(one),
  );
  const record = createByPerson(portal, { typeId, properties: wanted['properties'], actor });
  for (const toId of toIds)
    associate(portal, { ...pairOf(portal, { from: typeId, fromId: record.id, toId }), actor });
  companyFromEmail(portal, record);
  return { status: 201, body: wholeRecord(portal, record) };
}

function edit({ portal, body }: Verb): Reply {
  const wanted = asObject(body);
  const record = recordIn(portal, wanted);
  editByPerson(portal, { record, properties: wanted['properties'], actor: actorIn(wanted) });
  return { status: 200, body: wholeRecord(portal, record) };
}

function changeLifecycle(
  { portal, body }: Verb,
  change: (portal: Portal, change: LifeChange) => void,
): Reply {
  const wanted = asObject(body);
  change(portal, { record: recordIn(portal, wanted), actor: actorIn(wanted) });
  return { status: 204 };
}

function associatePair({ portal, body }: Verb): Reply {
  const wanted = asObject(body);
  associate(portal, {
    ...pairIn(portal, wanted),
    primary: wanted['primary'] === true,
    actor: actorIn(wanted),
  });
  return { status: 204 };
}

function dissociatePair({ portal, body }: Verb): Reply {
  const wanted = asObject(body);
  dissociate(portal, { ...pairIn(portal, wanted), actor: actorIn(wanted) });
  return { status: 204 };
}

function pairIn(portal: Portal, wanted: JsonObject) {
  const [fromId, toId] = [requiredText(wanted, 'contactId'), requiredText(wanted, 'companyId')];
  return pairOf(portal, { from: '0-1', fromId, toId });
}

function merge({ portal, body }: Verb): Reply {
  const wanted = asObject(body);
  const winner = mergeRecords(portal, {
    typeId: typeNamed(requiredText(wanted, 'objectType')),
    primaryId: requiredText(wanted, 'primaryObjectId'),
    otherId: requiredText(wanted, 'objectIdToMerge'),
    actor: actorIn(wanted),
  });
  return { status: 200, body: wholeRecord(portal, winner) };
}

function redeliver({ portal, body }: Verb): Reply {
  const wanted = asObject(body);
  const key = `${typeNamed(requiredText(wanted, 'objectType'))}:${requiredText(wanted, 'id')}`;
  if (!announceAgain(portal, key)) throw new ApiError(notFound('This record was never announced.'));
  return { status: 202, body: { pending: portal.state.pendingEvents.length } };
}

/** The actor: a person, unless the body has another `source` (IMPORT, FORM, ...) with its `sourceId`. */
function actorIn(wanted: JsonObject): Actor {
  const source = optionalText(wanted, 'source');
  const person = personActor(Number(optionalText(wanted, 'userId') ?? VIEWER.userId));
  if (source === undefined || source === person.sourceType) return person;
  return { sourceType: source, sourceId: optionalText(wanted, 'sourceId') ?? source.toLowerCase() };
}

function recordIn(portal: Portal, wanted: JsonObject): StoredRecord {
  const id = requiredText(wanted, 'id');
  const record = findRecord(portal, { typeId: typeNamed(requiredText(wanted, 'objectType')), id });
  if (!record) throw new ApiError(notFound('No record has this id.', { context: { ids: [id] } }));
  return record;
}

function typeNamed(name: string): ObjectTypeId {
  const typeId = objectTypeIdOf(name);
  if (!typeId) throw new ApiError(badRequest(`The sandbox has only contacts and companies, not ${name}.`));
  return typeId;
}

/** The record with all properties that are not empty. */
function wholeRecord(portal: Portal, record: StoredRecord): JsonObject {
  const names = Object.keys(portal.state.properties[record.typeId]);
  const values = names
    .map((name) => [name, readValue(portal, { record, name })])
    .filter(([, value]) => value !== '');
  return {
    id: record.id,
    objectType: singularName(record.typeId),
    properties: Object.fromEntries(values),
    createdAt: iso(record.createdAt),
    updatedAt: iso(record.updatedAt),
    archived: record.archivedAt !== null,
    associations: associatedWith(portal, { typeId: record.typeId, id: record.id }).map(({ id }) => id),
  };
}
