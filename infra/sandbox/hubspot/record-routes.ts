import { associateFromInput, companyFromEmail, moveAssociations } from './associations.ts';
import {
  ApiError,
  asObject,
  badRequest,
  type Call,
  type Failure,
  failureBody,
  type JsonObject,
  listIn,
  notFound,
  optionalText,
  queryLimit,
  queryList,
  type Reply,
  type Route,
  requiredText,
  textsIn,
  typeParam,
} from './http.ts';
import { checkInput } from './input.ts';
import { recordFailure } from './limits.ts';
import {
  archiveRecord,
  createRecord,
  eraseRecord,
  findRecord,
  indexValues,
  isExpired,
  iso,
  newId,
  ownRecord,
  removeRecord,
  viewRecord,
  writeValues,
} from './records.ts';
import { type Actor, type ObjectTypeId, type Portal, type StoredRecord, singularName } from './state.ts';
import { announce } from './webhooks.ts';

const ALL = '/crm/objects/{version}/{objectType}';
const LIST_MOST = 100;

/** Routes of records: one page of all, up to 100 in a batch, and what happens to one. */
export const RECORD_ROUTES: readonly Route[] = [
  { method: 'GET', path: ALL, needs: 'read', run: listRecords },
  { method: 'POST', path: `${ALL}/batch/read`, needs: 'read', run: readMany },
  { method: 'POST', path: `${ALL}/batch/create`, needs: 'write', run: createMany },
  { method: 'POST', path: `${ALL}/batch/update`, needs: 'write', run: updateMany },
  { method: 'POST', path: `${ALL}/batch/archive`, needs: 'write', run: archiveMany },
  { method: 'POST', path: `${ALL}/merge`, needs: 'write', run: merge },
  { method: 'POST', path: `${ALL}/gdpr-delete`, needs: 'write', run: gdprDelete },
];

function listRecords(call: Call): Reply {
  const { portal } = call;
  const typeId = typeParam(call);
  const limit = queryLimit(call, { byDefault: 10, most: LIST_MOST });
  const after = Number(call.query.get('after') ?? 0);
  if (Number.isNaN(after)) throw new ApiError(badRequest('The after parameter must be a record id.'));
  const archived = call.query.get('archived') === 'true';
  const rows = Object.values(portal.state.records[typeId]).filter(
    (record) =>
      (record.archivedAt !== null) === archived && !isExpired(portal, record) && Number(record.id) >= after,
  );
  const properties = queryList(call, 'properties');
  const results = rows.slice(0, limit).map((record) => viewRecord(portal, { record, properties }));
  const next = rows[limit];
  return { status: 200, body: { results, ...(next && { paging: { next: { after: next.id } } }) } };
}

const BATCH_MOST = 100;

/** A valid input, or its failure. */
type Prepared =
  | { readonly ok: true; readonly apply: () => JsonObject }
  | { readonly ok: false; readonly failure: Failure };

interface Batch {
  readonly inputs: readonly JsonObject[];
  /** Whether the operation may return a result for each input. */
  readonly mayBePartial: boolean;
  readonly prepare: (input: JsonObject) => Prepared;
  /** Status if all inputs succeed. */
  readonly status: 200 | 201;
}

interface FailedInput {
  readonly input: JsonObject;
  readonly failure: Failure;
}

/** @throws ApiError 400 without inputs, or with more than `most`. */
function batchInputs(call: Call, most = BATCH_MOST): JsonObject[] {
  const inputs = listIn(asObject(call.body), 'inputs').map((input) => asObject(input, 'an input'));
  if (inputs.length === 0) throw new ApiError(badRequest('Some required fields were not set: [inputs]'));
  if (inputs.length <= most) return inputs;
  throw new ApiError(badRequest(`The maximum number of inputs supported in a batch request is ${most}`));
}

/** @throws ApiError 400 if two inputs have the same value. */
function refuseDuplicates({ portal }: Call, values: readonly string[]): void {
  if (portal.state.settings.duplicateInputs === 'accepted') return;
  const twice = [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
  if (twice.length === 0) return;
  const message = `Duplicate IDs found in batch input: [${twice.join(', ')}]. IDs must be unique`;
  throw new ApiError(badRequest(message, { context: { ids: twice } }));
}

/**
 * Runs a batch. If every input has its own `objectWriteTraceId`, each succeeds or fails alone. Otherwise one invalid
 * input fails the whole batch, and nothing is written. A missing record always fails alone.
 */
function runBatch(call: Call, batch: Batch): Reply {
  if (!isPartial(batch)) refuseIfInvalid(batch);
  const results: JsonObject[] = [];
  const failed: FailedInput[] = [];
  for (const input of batch.inputs) {
    const prepared = batch.prepare(input);
    if (prepared.ok) results.push(withTrace(input, prepared.apply()));
    else failed.push({ input, failure: prepared.failure });
  }
  return batchReply(call, { status: batch.status, results, errors: failed.map((one) => errorOf(call, one)) });
}

function batchReply(
  { portal }: Call,
  { status, results, errors }: { status: 200 | 201; results: readonly unknown[]; errors: readonly unknown[] },
): Reply {
  const now = iso(portal.clock.now());
  const failed = errors.length > 0 && { numErrors: errors.length, errors };
  const times = { requestedAt: now, startedAt: now, completedAt: now };
  return { status: failed ? 207 : status, body: { status: 'COMPLETE', results, ...times, ...failed } };
}

/** Checks all inputs before the first write. The error has the reasons of all inputs, without naming the inputs. */
function refuseIfInvalid({ inputs, prepare }: Batch): void {
  const failures = inputs
    .map((input) => prepare(input))
    .flatMap((prepared) => (prepared.ok ? [] : [prepared.failure]))
    .filter((failure) => failure.category !== 'OBJECT_NOT_FOUND');
  const [first] = failures;
  if (!first) return;
  const errors = failures.flatMap((failure) => failure.errors ?? []);
  throw new ApiError({ ...first, ...(errors.length > 0 && { errors }) });
}

/** Whether each input will succeed or fail alone. */
function isPartial({ mayBePartial, inputs }: Pick<Batch, 'mayBePartial' | 'inputs'>): boolean {
  const traces = inputs.map((input) => optionalText(input, 'objectWriteTraceId'));
  return mayBePartial && !traces.includes(undefined) && new Set(traces).size === inputs.length;
}

function withTrace(input: JsonObject, result: JsonObject): JsonObject {
  const objectWriteTraceId = optionalText(input, 'objectWriteTraceId');
  return objectWriteTraceId === undefined ? result : { ...result, objectWriteTraceId };
}

function errorOf({ portal }: Call, { input, failure }: FailedInput): JsonObject {
  const isNamed = portal.state.settings.errorsNameTrace;
  const trace = isNamed ? optionalText(input, 'objectWriteTraceId') : undefined;
  const context = { ...failure.context, ...(trace !== undefined && { objectWriteTraceId: [trace] }) };
  return failureBody({ ...failure, context });
}

/** Reads records. A merged id returns the record that it was merged into, under that record's id. */
function readMany(call: Call): Reply {
  const typeId = typeParam(call);
  const body = asObject(call.body);
  const withHistory = textsIn(body, 'propertiesWithHistory');
  const ids = batchInputs(call).map((input) => requiredText(input, 'id'));
  const { historyBatchMost, missingRecords, mergedIdsRead } = call.portal.state.settings;
  if (withHistory.length > 0 && ids.length > historyBatchMost)
    throw new ApiError(badRequest(`${HISTORY_LIMIT} ${historyBatchMost}`));
  refuseDuplicates(call, ids);
  const archived = call.query.get('archived') === 'true';
  const records = new Map<string, StoredRecord>();
  const missing: string[] = [];
  const failures: Failure[] = [];
  for (const id of ids) {
    const failure = recordFailure(call, id);
    const found = findRecord(call.portal, { typeId, id });
    const wasMerged = call.portal.state.mergedInto[typeId][id] !== undefined;
    const record = wasMerged && !mergedIdsRead ? undefined : found;
    if (failure) failures.push(failure);
    else if (record && (record.archivedAt !== null) === archived) records.set(record.id, record);
    else missing.push(id);
  }
  if (missing.length > 0 && missingRecords === 'reported') failures.push(noSuchRecords(typeId, missing));
  const wish = { properties: textsIn(body, 'properties'), withHistory };
  const results = [...records.values()].map((record) => viewRecord(call.portal, { record, ...wish }));
  return batchReply(call, { status: 200, results, errors: failures.map(failureBody) });
}

const HISTORY_LIMIT = 'The maximum number of inputs supported in a batch request for property histories is';

function createMany(call: Call): Reply {
  const typeId = typeParam(call);
  const batch = batchOf(call, 'create');
  if (!isPartial(batch)) refuseDuplicates(call, emailsOf(batch.inputs));
  return runBatch(call, {
    ...batch,
    status: 201,
    prepare: (input) => prepareCreate(call, typeId, input),
  });
}

/** Updates records. A merged id is not found. */
function updateMany(call: Call): Reply {
  const typeId = typeParam(call);
  const batch = batchOf(call, 'update');
  refuseDuplicates(
    call,
    batch.inputs.map((input) => requiredText(input, 'id')),
  );
  return runBatch(call, {
    ...batch,
    status: 200,
    prepare: (input) => {
      const id = requiredText(input, 'id');
      const record = ownRecord(call.portal, { typeId, id });
      if (!record || record.archivedAt !== null) return { ok: false, failure: noSuchRecords(typeId, [id]) };
      return prepareUpdate(call, record, input);
    },
  });
}

/** Archives records. Missing records are ignored. */
function archiveMany(call: Call): Reply {
  const typeId = typeParam(call);
  for (const input of batchInputs(call)) {
    const record = ownRecord(call.portal, { typeId, id: requiredText(input, 'id') });
    if (record) archiveRecord(call.portal, { record, actor: call.actor });
  }
  return { status: 204 };
}

function batchOf(call: Call, operation: 'create' | 'update'): Pick<Batch, 'inputs' | 'mayBePartial'> {
  const mayBePartial = call.portal.state.settings.partialBatches.includes(operation);
  return { inputs: batchInputs(call), mayBePartial };
}

function emailsOf(inputs: readonly JsonObject[]): string[] {
  return inputs
    .map((input) => asObject(input['properties'] ?? {}, 'properties')['email'])
    .filter((email) => typeof email === 'string')
    .map((email) => email.trim().toLowerCase());
}

function prepareCreate(call: Call, typeId: ObjectTypeId, input: JsonObject): Prepared {
  const { portal, actor, newest } = call;
  const checked = checkInput(portal, { typeId, properties: input['properties'], actor, newest });
  if (!checked.ok) return checked;
  const apply = () => {
    const record = createRecord(portal, { typeId, values: checked.values, actor });
    associateFromInput(portal, { record, wanted: input['associations'], actor });
    companyFromEmail(portal, record);
    return writtenView(portal, record, checked);
  };
  return { ok: true, apply };
}

function prepareUpdate(call: Call, record: StoredRecord, input: JsonObject): Prepared {
  const { portal, actor, newest } = call;
  const failure = recordFailure(call, record.id);
  if (failure) return { ok: false, failure };
  const { properties } = input;
  const checked = checkInput(portal, { typeId: record.typeId, properties, record, actor, newest });
  if (!checked.ok) return checked;
  const apply = () => {
    writeValues(portal, { record, values: checked.values, actor });
    return writtenView(portal, record, checked);
  };
  return { ok: true, apply };
}

/** Answer to a write: the written properties and the default ones. */
function writtenView(
  portal: Portal,
  record: StoredRecord,
  { values, warnings }: { values: Record<string, string>; warnings: readonly object[] },
): JsonObject {
  const view = viewRecord(portal, { record, properties: Object.keys(values) });
  return warnings.length === 0 ? view : { ...view, warnings };
}

function noSuchRecords(typeId: ObjectTypeId, ids: readonly string[]): Failure {
  const kind = singularName(typeId).toUpperCase();
  return notFound(`Could not get some ${kind} objects, they may be deleted or not exist.`, {
    context: { ids },
  });
}

function merge(call: Call): Reply {
  const body = asObject(call.body);
  const winner = mergeRecords(call.portal, {
    typeId: typeParam(call),
    primaryId: requiredText(body, 'primaryObjectId'),
    otherId: requiredText(body, 'objectIdToMerge'),
    actor: call.actor,
  });
  return { status: 200, body: viewRecord(call.portal, { record: winner }) };
}

function gdprDelete(call: Call): Reply {
  const typeId = typeParam(call);
  if (typeId !== '0-1') throw new ApiError(badRequest('Only contacts can be deleted in this way.'));
  const id = requiredText(asObject(call.body), 'objectId');
  const record = findRecord(call.portal, { typeId, id });
  if (!record) throw new ApiError(notFound('No record with this id.', { context: { ids: [id] } }));
  eraseRecord(call.portal, { record, actor: call.actor });
  return { status: 204 };
}

interface Merge {
  readonly typeId: ObjectTypeId;
  readonly primaryId: string;
  readonly otherId: string;
  readonly actor: Actor;
}

/**
 * Merges two records. The result has the primary's values, and the other record's values where the primary has none.
 * It has a new id, unless the account keeps the primary's id. All earlier ids lead to the result.
 */
export function mergeRecords(portal: Portal, { typeId, primaryId, otherId, actor }: Merge): StoredRecord {
  const primary = mergeable(portal, { typeId, id: primaryId });
  const other = mergeable(portal, { typeId, id: otherId });
  if (primary.id === other.id) throw new ApiError(badRequest('A record cannot be merged with itself.'));
  const keepsId = portal.state.settings.mergeKeepsPrimaryId;
  const moved = Object.keys(other.values).filter((name) => !primary.values[name] && other.values[name]);
  const winner = combined(portal, { primary, other, moved, id: keepsId ? primary.id : newId(portal) });
  const losers = keepsId ? [other] : [primary, other];
  for (const loser of losers) {
    portal.state.mergedInto[typeId][loser.id] = winner.id;
    moveAssociations(portal, { from: loser, toId: winner.id });
    removeRecord(portal, loser);
  }
  portal.state.records[typeId][winner.id] = winner;
  indexValues(portal, winner, Object.keys(winner.values));
  announce(portal, {
    kind: 'merge',
    typeId,
    objectId: winner.id,
    actor,
    fields: {
      primaryObjectId: Number(primary.id),
      mergedObjectIds: [Number(other.id)],
      newObjectId: Number(winner.id),
      numberOfPropertiesMoved: moved.length,
    },
  });
  return winner;
}

function combined(
  portal: Portal,
  { primary, other, moved, id }: { primary: StoredRecord; other: StoredRecord; moved: string[]; id: string },
): StoredRecord {
  const values = { ...primary.values };
  const history = { ...primary.history };
  for (const name of moved) {
    values[name] = other.values[name] ?? '';
    history[name] = [...(other.history[name] ?? []), ...(primary.history[name] ?? [])];
  }
  const addresses = addressesOf(primary, other);
  if (addresses !== undefined) values['hs_additional_emails'] = addresses;
  const createdAt = Math.min(primary.createdAt, other.createdAt);
  const ids = [...primary.mergedIds, primary.id, ...other.mergedIds, other.id];
  const mergedIds = ids.filter((one) => one !== id);
  return { ...primary, id, createdAt, updatedAt: portal.clock.now(), values, history, mergedIds };
}

/** Keeps the other contact's addresses as additional ones. */
function addressesOf(primary: StoredRecord, other: StoredRecord): string | undefined {
  const listed = [primary, other].flatMap(({ values }) => values['hs_additional_emails']?.split(';') ?? []);
  const added = primary.values['email'] ? [other.values['email'] ?? ''] : [];
  const all = [...new Set([...listed, ...added])].filter((one) => one !== '');
  return primary.typeId === '0-1' && all.length > 0 ? all.join(';') : undefined;
}

function mergeable(portal: Portal, { typeId, id }: { typeId: ObjectTypeId; id: string }): StoredRecord {
  const record = findRecord(portal, { typeId, id });
  if (!record || record.archivedAt !== null) {
    throw new ApiError(notFound('One of the records to merge does not exist.', { context: { ids: [id] } }));
  }
  return record;
}
