import { createHash } from 'node:crypto';
import * as z from 'zod';
import {
  ApiError,
  badRequest,
  type Call,
  filledText,
  inForm,
  isJsonObject,
  listOf,
  notFound,
  objectType,
  type Reply,
  type Route,
  text,
  texts,
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
import { searchForPage } from './search.ts';
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
import { announceAgain, type Send, signV3 } from './webhooks.ts';

/** The places of the app in HubSpot: its card on a record, and its home page. */
export type AppPlace = 'card' | 'home';

/** Returns the code of one place and of the page around it, bundled for a browser. */
export type Script = (place: AppPlace) => Promise<string>;

export type Samples = (typeId: ObjectTypeId) => Promise<readonly Readonly<Record<string, string>>[]>;

export interface SandboxActions {
  readonly reset: () => void;
  readonly send: Send;
  readonly script: Script | undefined;
  readonly samples: Samples | undefined;
}

interface Asked {
  readonly url: string;
  readonly method: string;
  /** JSON text, or an empty text. */
  readonly body: string;
}

/**
 * Builds a request of `hubspot.fetch` as HubSpot's servers send it. They add the person to the query, and sign the
 * request by version 3.
 */
export function extensionRequest(
  { clientSecret, portalId, appId }: SandboxSettings,
  { asked, viewer, nowMs }: { asked: Asked; viewer: typeof VIEWER; nowMs: number },
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

export const CALLBACK_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/automation/actions/callbacks/2026-09/complete',
    needs: 'automation',
    run: completeAll,
  },
];

const MOST_CALLBACKS = 100;

const COMPLETION = z.object({
  inputs: listOf(
    z.object({
      callbackId: filledText,
      outputFields: z.record(z.string(), z.unknown().optional()).catch({}),
    }),
  ),
});

function completeAll({ portal, body }: Call): Reply {
  const { inputs } = inForm(COMPLETION, body);
  if (inputs.length > MOST_CALLBACKS)
    throw new ApiError(badRequest(`At most ${MOST_CALLBACKS} callbacks at once.`));
  for (const { callbackId, outputFields } of inputs) {
    const execution = portal.state.executions.find((each) => each.callbackId === callbackId);
    // An execution that is already finished is ignored.
    if (execution?.state !== 'held') continue;
    execution.outputs = Object.fromEntries(
      Object.entries(outputFields).map(([name, value]) => [name, String(value)]),
    );
    execution.state = 'completed';
  }
  return { status: 204 };
}

/** A request to a verb that HubSpot does not have. */
interface Verb {
  readonly portal: Portal;
  readonly actions: SandboxActions;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

const RECORDS_MOST = 1_000;

/** The writer: a person, unless `source` names another one (IMPORT, FORM, ...) with its `sourceId`. */
const WRITER = z.object({ userId: text.nullish(), source: text.nullish(), sourceId: text.nullish() });
const RECORD = WRITER.extend({ objectType, id: filledText });
const PAIR = WRITER.extend({
  contactId: filledText,
  companyId: filledText,
  primary: z.boolean().default(false),
});
const CREATION = WRITER.extend({
  objectType,
  properties: z.unknown().optional(),
  associations: listOf(
    z.union([text, z.object({ id: filledText })]).transform((to) => (typeof to === 'string' ? to : to.id)),
  ),
});
const MERGE = WRITER.extend({ objectType, primaryObjectId: filledText, objectIdToMerge: filledText });
const FETCH = WRITER.extend({ url: filledText, method: text.default('GET'), body: text.default('') });

const VERBS: Readonly<Record<string, (verb: Verb) => Reply | Promise<Reply>>> = {
  'GET /_sandbox/records': ({ portal, query }) => {
    const [kind, id] = [query.get('kind'), query.get('id')];
    const types = kind === null ? (['0-1', '0-2'] as const) : [typeNamed(kind)];
    const records = types
      .flatMap((typeId) => Object.values(portal.state.records[typeId]))
      .filter((record) => id === null || record.id === id)
      .slice(0, Number(query.get('limit') ?? RECORDS_MOST));
    return done({ records: records.map((record) => wholeRecord(portal, record)) });
  },
  'GET /_sandbox/requests': ({ portal }) => done(requestReport(portal)),
  'GET /_sandbox/settings': ({ portal }) => done(portal.state.settings),
  'PUT /_sandbox/settings': changeSettings,
  'POST /_sandbox/reset': ({ actions }) => {
    actions.reset();
    return { status: 204 };
  },
  'POST /_sandbox/create': ({ portal, body }) => {
    const { objectType: typeId, properties, associations, ...by } = inForm(CREATION, body);
    const actor = actorOf(by);
    const record = createByPerson(portal, { typeId, properties, actor });
    for (const toId of associations)
      associate(portal, { ...pairOf(portal, { from: typeId, fromId: record.id, toId }), actor });
    companyFromEmail(portal, record);
    return { status: 201, body: wholeRecord(portal, record) };
  },
  'POST /_sandbox/edit': ({ portal, body }) => {
    const { properties, ...wanted } = inForm(RECORD.extend({ properties: z.unknown().optional() }), body);
    const { record, actor } = lifeChange(portal, wanted);
    editByPerson(portal, { record, properties, actor });
    return done(wholeRecord(portal, record));
  },
  'POST /_sandbox/archive': lifeVerb(archiveRecord),
  'POST /_sandbox/restore': lifeVerb(restoreRecord),
  'POST /_sandbox/erase': lifeVerb(eraseRecord),
  'POST /_sandbox/associate': pairVerb(associate),
  'POST /_sandbox/dissociate': pairVerb(dissociate),
  'POST /_sandbox/merge': ({ portal, body }) => {
    const {
      objectType: typeId,
      primaryObjectId: primaryId,
      objectIdToMerge: otherId,
      ...by
    } = inForm(MERGE, body);
    return done(
      wholeRecord(portal, mergeRecords(portal, { typeId, primaryId, otherId, actor: actorOf(by) })),
    );
  },
  'POST /_sandbox/redeliver': ({ portal, body }) => {
    const { objectType: typeId, id } = inForm(RECORD, body);
    if (!announceAgain(portal, `${typeId}:${id}`))
      throw new ApiError(notFound('This record was never announced.'));
    return { status: 202, body: { pending: portal.state.pendingEvents.length } };
  },
  'POST /_sandbox/fetch': fetchForCard,
  'POST /_sandbox/search': ({ portal, body }) => done(searchForPage(portal, body)),
  'POST /_sandbox/enrol': async ({ portal, actions, body }) => {
    const { objectType: typeId, ids: recordIds } = inForm(z.object({ objectType, ids: texts }), body);
    return done({ executions: await enrol({ portal, send: actions.send, typeId, recordIds }) });
  },
  'POST /_sandbox/execute': async ({ portal, actions, body }) => {
    const { callbackId } = inForm(z.object({ callbackId: filledText }), body);
    const execution = portal.state.executions.find((each) => each.callbackId === callbackId);
    if (!execution) throw new ApiError(badRequest('No execution has this callback id.'));
    await execute({ portal, send: actions.send }, execution);
    return done({ execution });
  },
  'GET /_sandbox/executions': ({ portal }) => done({ executions: portal.state.executions }),
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

function done(body: unknown): Reply {
  return { status: 200, body };
}

/**
 * Serves `hubspot.fetch` of a card. It signs the request, and sends it only to the app's own addresses. `userId`
 * names another viewer. HubSpot repeats a request once after a failed connection or a 5xx.
 */
async function fetchForCard({ portal, actions, body: given }: Verb): Promise<Reply> {
  const { url, method, body, userId } = inForm(FETCH, given);
  const { settings } = portal.state;
  if (settings.webhookUrl === null || !url.startsWith(`${settings.webhookUrl}/`))
    throw new ApiError(badRequest(`The app may not fetch from ${url}: it is no permitted URL.`));
  const viewer = { ...VIEWER, userId: Number(userId ?? VIEWER.userId) };
  const send = () =>
    actions.send(
      extensionRequest(settings, { asked: { url, method, body }, viewer, nowMs: portal.clock.now() }),
    );
  const first = await send().catch(() => undefined);
  const response = first && first.status < 500 ? first : await send();
  return done({ status: response.status, text: await response.text() });
}

function changeSettings({ portal, body }: Verb): Reply {
  if (!isJsonObject(body)) throw new ApiError(badRequest('The settings must be an object.'));
  try {
    portal.state.settings = mergeSettings(portal.state.settings, body);
  } catch (error) {
    throw new ApiError(badRequest(error instanceof Error ? error.message : String(error)));
  }
  if ('faults' in body) portal.state.faultHits = [];
  portal.wake.resolve();
  return done(portal.state.settings);
}

function lifeVerb(change: (portal: Portal, change: LifeChange) => void) {
  return ({ portal, body }: Verb): Reply => {
    change(portal, lifeChange(portal, inForm(RECORD, body)));
    return { status: 204 };
  };
}

/** Finds the record and its writer. @throws ApiError 404 */
function lifeChange(portal: Portal, { objectType: typeId, id, ...by }: z.output<typeof RECORD>): LifeChange {
  const record = findRecord(portal, { typeId, id });
  if (!record) throw new ApiError(notFound('No record has this id.', { context: { ids: [id] } }));
  return { record, actor: actorOf(by) };
}

function pairVerb(change: (portal: Portal, wanted: Parameters<typeof associate>[1]) => void) {
  return ({ portal, body }: Verb): Reply => {
    const { contactId: fromId, companyId: toId, primary, ...by } = inForm(PAIR, body);
    change(portal, { ...pairOf(portal, { from: '0-1', fromId, toId }), primary, actor: actorOf(by) });
    return { status: 204 };
  };
}

function actorOf({ userId, source, sourceId }: z.output<typeof WRITER>): Actor {
  const person = personActor(Number(userId ?? VIEWER.userId));
  if (!source || source === person.sourceType) return person;
  return { sourceType: source, sourceId: sourceId ?? source.toLowerCase() };
}

function typeNamed(name: string): ObjectTypeId {
  const typeId = objectTypeIdOf(name);
  if (!typeId) throw new ApiError(badRequest(`The sandbox has only contacts and companies, not ${name}.`));
  return typeId;
}

/** The record with all properties that are not empty. */
function wholeRecord(portal: Portal, record: StoredRecord): object {
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
