import type { Script } from './app.ts';
import { EXTENSION_VERBS } from './app.ts';
import { associate, associatedWith, companyFromEmail, dissociate, pairOf } from './associations.ts';
import {
  ApiError,
  asObject,
  badRequest,
  isJsonObject,
  type JsonObject,
  listIn,
  notFound,
  optionalText,
  type Reply,
  requiredText,
} from './http.ts';
import { createByPerson, editByPerson } from './input.ts';
import { requestReport } from './limits.ts';
import { mergeRecords } from './record-routes.ts';
import {
  archiveRecord,
  eraseRecord,
  findRecord,
  iso,
  type LifeChange,
  readValue,
  restoreRecord,
} from './records.ts';
import { mergeSettings } from './settings.ts';
import {
  type Actor,
  type ObjectTypeId,
  objectTypeIdOf,
  type Portal,
  personActor,
  type StoredRecord,
  singularName,
  VIEWER,
} from './state.ts';
import type { DeliveryReport, Send } from './webhooks.ts';
import { announceAgain } from './webhooks.ts';

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
export interface Verb {
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
