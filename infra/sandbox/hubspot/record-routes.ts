import * as z from 'zod';
import {
  ApiError,
  badRequest,
  type Call,
  type Failure,
  failureBody,
  filledText,
  inForm,
  isJsonObject,
  type JsonObject,
  listOf,
  notFound,
  type Reply,
  type Route,
  text,
  texts,
  typeParam,
} from './http.ts';
import { checkInput } from './input.ts';
import { recordFailure } from './limits.ts';
import {
  archiveRecord,
  createRecord,
  eraseRecord,
  findRecord,
  indexAddresses,
  iso,
  liveRecords,
  newId,
  ownRecord,
  readValue,
  removeRecord,
  viewRecord,
  writeValues,
} from './records.ts';
import {
  type Actor,
  type Association,
  type ObjectTypeId,
  type Portal,
  type StoredRecord,
  singularName,
} from './state.ts';
import { announce } from './webhooks.ts';

const ALL = '/crm/objects/2026-09/{objectType}';

/** Routes of records: up to 100 in a batch, and what happens to one. */
export const RECORD_ROUTES: readonly Route[] = [
  { method: 'POST', path: `${ALL}/batch/read`, needs: 'read', run: readMany },
  { method: 'POST', path: `${ALL}/batch/create`, needs: 'write', run: createMany },
  { method: 'POST', path: `${ALL}/batch/update`, needs: 'write', run: updateMany },
  { method: 'POST', path: `${ALL}/batch/archive`, needs: 'write', run: archiveMany },
  { method: 'POST', path: `${ALL}/merge`, needs: 'write', run: merge },
  { method: 'POST', path: `${ALL}/gdpr-delete`, needs: 'write', run: gdprDelete },
];

const BATCH_MOST = 100;

type Prepared = { readonly apply: () => JsonObject } | { readonly failure: Failure };

const TRACED = z.object({ objectWriteTraceId: text.optional(), properties: z.unknown().optional() });
const UPDATE = TRACED.extend({ id: filledText });
const WITH_ID = z.object({ id: filledText });

interface Batch<Input> {
  readonly operation: 'create' | 'update';
  readonly inputs: readonly Input[];
  readonly prepare: (input: Input) => Prepared;
}

/** @throws ApiError 400 without inputs, or with too many. */
function batchInputs<Form extends z.ZodType>(
  { body }: Call,
  form: Form,
  most = BATCH_MOST,
): readonly z.output<Form>[] {
  const { inputs } = inForm(z.object({ inputs: listOf(form) }), body);
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
function runBatch<Input extends z.output<typeof TRACED>>(call: Call, batch: Batch<Input>): Reply {
  const { operation, inputs, prepare } = batch;
  if (!isPartial(call, batch)) refuseIfInvalid(batch);
  const results: JsonObject[] = [];
  const errors: JsonObject[] = [];
  for (const input of inputs) {
    const prepared = prepare(input);
    const { objectWriteTraceId: trace } = input;
    if ('apply' in prepared)
      results.push({ ...prepared.apply(), ...(trace !== undefined && { objectWriteTraceId: trace }) });
    else {
      const isNamed = trace !== undefined && call.portal.state.settings.errorsNameTrace;
      const context = { ...prepared.failure.context, ...(isNamed && { objectWriteTraceId: [trace] }) };
      errors.push(failureBody({ ...prepared.failure, context }));
    }
  }
  return batchReply(call, { status: operation === 'create' ? 201 : 200, results, errors });
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
function refuseIfInvalid<Input>({ inputs, prepare }: Batch<Input>): void {
  const failures = inputs
    .map(prepare)
    .flatMap((prepared) => ('failure' in prepared ? [prepared.failure] : []))
    .filter((failure) => failure.category !== 'OBJECT_NOT_FOUND');
  const [first] = failures;
  if (!first) return;
  const errors = failures.flatMap((failure) => failure.errors ?? []);
  throw new ApiError({ ...first, ...(errors.length > 0 && { errors }) });
}

/** Whether each input will succeed or fail alone. */
function isPartial(
  { portal }: Call,
  { operation, inputs }: { operation: 'create' | 'update'; inputs: readonly z.output<typeof TRACED>[] },
): boolean {
  const traces = new Set(inputs.map(({ objectWriteTraceId }) => objectWriteTraceId));
  const { partialBatches } = portal.state.settings;
  return partialBatches.includes(operation) && !traces.has(undefined) && traces.size === inputs.length;
}

/** Reads records. A merged id returns the record that it was merged into, under that record's id. */
function readMany(call: Call): Reply {
  const typeId = typeParam(call);
  const { properties, propertiesWithHistory: withHistory } = inForm(
    z.object({ properties: texts, propertiesWithHistory: texts }),
    call.body,
  );
  const ids = batchInputs(call, WITH_ID).map(({ id }) => id);
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
  const results = [...records.values()].map((record) =>
    viewRecord(call.portal, { record, properties, withHistory }),
  );
  return batchReply(call, { status: 200, results, errors: failures.map(failureBody) });
}

const HISTORY_LIMIT = 'The maximum number of inputs supported in a batch request for property histories is';

function createMany(call: Call): Reply {
  const { portal, actor } = call;
  const typeId = typeParam(call);
  const operation = 'create';
  const inputs = batchInputs(call, TRACED);
  if (!isPartial(call, { operation, inputs })) refuseDuplicates(call, inputs.flatMap(emailOf));
  return runBatch(call, {
    operation,
    inputs,
    prepare: ({ properties }) => {
      const checked = checkInput(portal, { typeId, properties, actor });
      if (!checked.ok) return checked;
      const apply = () => {
        const record = createRecord(portal, { typeId, values: checked.values, actor });
        companyFromEmail(portal, record);
        return writtenView(portal, record, checked.values);
      };
      return { apply };
    },
  });
}

function emailOf({ properties }: z.output<typeof TRACED>): string[] {
  const email = isJsonObject(properties) ? properties['email'] : undefined;
  return typeof email === 'string' ? [email.trim().toLowerCase()] : [];
}

/** Updates records. A merged id is not found. */
function updateMany(call: Call): Reply {
  const { portal, actor } = call;
  const typeId = typeParam(call);
  const inputs = batchInputs(call, UPDATE);
  refuseDuplicates(
    call,
    inputs.map(({ id }) => id),
  );
  return runBatch(call, {
    operation: 'update',
    inputs,
    prepare: ({ id, properties }) => {
      const record = ownRecord(portal, { typeId, id });
      if (!record || record.archivedAt !== null) return { failure: noSuchRecords(typeId, [id]) };
      const failure = recordFailure(call, id);
      if (failure) return { failure };
      const checked = checkInput(portal, { typeId, properties, record, actor });
      if (!checked.ok) return checked;
      const apply = () => {
        writeValues(portal, { record, values: checked.values, actor });
        return writtenView(portal, record, checked.values);
      };
      return { apply };
    },
  });
}

/** Archives records. Missing records are ignored. */
function archiveMany(call: Call): Reply {
  const typeId = typeParam(call);
  for (const { id } of batchInputs(call, WITH_ID)) {
    const record = ownRecord(call.portal, { typeId, id });
    if (record) archiveRecord(call.portal, { record, actor: call.actor });
  }
  return { status: 204 };
}

/** Answer to a write: the written properties and the default ones. */
function writtenView(portal: Portal, record: StoredRecord, values: Record<string, string>): JsonObject {
  return viewRecord(portal, { record, properties: Object.keys(values) });
}

function noSuchRecords(typeId: ObjectTypeId, ids: readonly string[]): Failure {
  const kind = singularName(typeId).toUpperCase();
  return notFound(`Could not get some ${kind} objects, they may be deleted or not exist.`, {
    context: { ids },
  });
}

function merge(call: Call): Reply {
  const { primaryObjectId: primaryId, objectIdToMerge: otherId } = inForm(
    z.object({ primaryObjectId: filledText, objectIdToMerge: filledText }),
    call.body,
  );
  const typeId = typeParam(call);
  const winner = mergeRecords(call.portal, { typeId, primaryId, otherId, actor: call.actor });
  return { status: 200, body: viewRecord(call.portal, { record: winner }) };
}

function gdprDelete(call: Call): Reply {
  const typeId = typeParam(call);
  if (typeId !== '0-1') throw new ApiError(badRequest('Only contacts can be deleted in this way.'));
  const { objectId: id } = inForm(z.object({ objectId: filledText }), call.body);
  const record = findRecord(call.portal, { typeId, id });
  if (!record) throw new ApiError(notFound('No record with this id.', { context: { ids: [id] } }));
  eraseRecord(call.portal, { record, actor: call.actor });
  return { status: 204 };
}

/**
 * Merges two records. The result has the primary's values, and the other record's values where the primary has none.
 * It has a new id, unless the account keeps the primary's id. All earlier ids lead to the result.
 */
export function mergeRecords(
  portal: Portal,
  {
    typeId,
    primaryId,
    otherId,
    actor,
  }: { typeId: ObjectTypeId; primaryId: string; otherId: string; actor: Actor },
): StoredRecord {
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
  indexAddresses(portal, winner);
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

/** HubSpot's ids of the two kinds of association, by the type of the first record. */
const ASSOCIATION_TYPES = {
  '0-1': { unlabelled: 279, primary: 1 },
  '0-2': { unlabelled: 280, primary: 2 },
} as const;

interface Pair {
  readonly contactId: string;
  readonly companyId: string;
}

/** Finds the pair of a contact and a company. @throws ApiError 404 if one is missing. */
export function pairOf(
  portal: Portal,
  { from, fromId, toId }: { from: ObjectTypeId; fromId: string; toId: string },
): Pair {
  const to = from === '0-1' ? '0-2' : '0-1';
  const start = findRecord(portal, { typeId: from, id: fromId });
  const end = findRecord(portal, { typeId: to, id: toId });
  if (!start || !end || start.archivedAt !== null || end.archivedAt !== null) {
    const ids = [fromId, toId].filter((_, index) => !(index === 0 ? start : end));
    throw new ApiError(
      notFound('One or both records of the association do not exist.', { context: { ids } }),
    );
  }
  return from === '0-1'
    ? { contactId: start.id, companyId: end.id }
    : { contactId: end.id, companyId: start.id };
}

/**
 * Creates the association if there is none. The primary company is the contact's first one, or the one with
 * `primary`. Announces a new association or a new primary company.
 */
export function associate(
  portal: Portal,
  wanted: Pair & { readonly primary?: boolean; readonly actor: Actor },
): void {
  const { contactId, companyId, actor } = wanted;
  const others = portal.state.associations.filter((one) => one.contactId === contactId);
  const primary = wanted.primary === true || !others.some((one) => one.primary);
  const known = others.find((one) => one.companyId === companyId);
  const found = known ?? { contactId, companyId, primary: false };
  if (!known) portal.state.associations.push(found);
  if (known && (known.primary || !primary)) return;
  if (primary) for (const other of others) other.primary = false;
  found.primary = primary;
  announceAssociation(portal, { pair: wanted, removed: false, primary, actor });
}

export function dissociate(
  portal: Portal,
  { contactId, companyId, actor }: Pair & { readonly actor: Actor },
): void {
  const isPair = (one: Association) => one.contactId === contactId && one.companyId === companyId;
  const found = portal.state.associations.find(isPair);
  if (!found) return;
  portal.state.associations = portal.state.associations.filter((one) => !isPair(one));
  announceAssociation(portal, { pair: found, removed: true, primary: found.primary, actor });
}

export function associatedWith(
  portal: Portal,
  { typeId, id }: { typeId: ObjectTypeId; id: string },
): { id: string; primary: boolean }[] {
  const [own, other] =
    typeId === '0-1' ? (['contactId', 'companyId'] as const) : (['companyId', 'contactId'] as const);
  return portal.state.associations
    .filter((one) => one[own] === id)
    .map((one) => ({ id: one[other], primary: one.primary }));
}

function moveAssociations(portal: Portal, { from, toId }: { from: StoredRecord; toId: string }): void {
  const own = from.typeId === '0-1' ? 'contactId' : 'companyId';
  const key = (one: Association) => `${one.contactId}:${one.companyId}`;
  const moved = portal.state.associations.map((one) =>
    one[own] === from.id ? { ...one, [own]: toId } : one,
  );
  const seen = new Map<string, Association>();
  for (const one of moved) if (!seen.get(key(one))?.primary) seen.set(key(one), one);
  const withPrimary = new Set<string>();
  portal.state.associations = [...seen.values()].map((one) => {
    const primary = one.primary && !withPrimary.has(one.contactId);
    if (primary) withPrimary.add(one.contactId);
    return { ...one, primary };
  });
}

function announceAssociation(
  portal: Portal,
  { pair, removed, primary, actor }: { pair: Pair; removed: boolean; primary: boolean; actor: Actor },
): void {
  const ends = [
    { typeId: '0-1', from: pair.contactId, to: pair.companyId, associationType: 'CONTACT_TO_COMPANY' },
    { typeId: '0-2', from: pair.companyId, to: pair.contactId, associationType: 'COMPANY_TO_CONTACT' },
  ] as const;
  for (const { typeId, from, to, associationType } of ends) {
    announce(portal, {
      kind: 'associationChange',
      typeId,
      objectId: from,
      actor,
      fields: {
        associationType,
        fromObjectId: Number(from),
        toObjectId: Number(to),
        associationRemoved: removed,
        isPrimaryAssociation: primary,
      },
    });
  }
}

const ASSOCIATIONS = '/crm/associations/2026-09/{from}/{to}/batch';
const READ_MOST = 1_000;
const WRITE_MOST = 2_000;

/** Routes of associations between contacts and companies. */
export const ASSOCIATION_ROUTES: readonly Route[] = (
  [
    { method: 'POST', path: `${ASSOCIATIONS}/read`, needs: 'read', run: readBatch },
    { method: 'POST', path: `${ASSOCIATIONS}/associate/default`, needs: 'write', run: createBatch },
  ] satisfies readonly Route[]
).map((route) => ({ ...route, bucket: 'associations' }));

function readBatch(call: Call): Reply {
  const from = fromType(call);
  const rows = batchInputs(call, WITH_ID, READ_MOST).map(({ id }) => ({
    id,
    to: targetsOf(call, { from, id }),
  }));
  const [found, alone] = [rows.filter(({ to }) => to.length > 0), rows.filter(({ to }) => to.length === 0)];
  const errors = alone.map(({ id }) =>
    failureBody(
      notFound('No associations were found for the record.', {
        subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND',
        context: { fromObjectId: [id] },
      }),
    ),
  );
  return batchReply(call, {
    status: 200,
    results: found.map(({ id, to }) => ({ from: { id }, to })),
    errors,
  });
}

const ENDS = z.object({ from: WITH_ID, to: WITH_ID });

function createBatch(call: Call): Reply {
  const from = fromType(call);
  const results = batchInputs(call, ENDS, WRITE_MOST).flatMap(({ from: start, to }) => {
    const ends = { fromId: start.id, toId: to.id };
    associate(call.portal, { ...pairOf(call.portal, { from, ...ends }), actor: call.actor });
    return bothWays(from, ends);
  });
  return batchReply(call, { status: 201, results, errors: [] });
}

function fromType(call: Call): ObjectTypeId {
  const from = typeParam(call, 'from');
  const same = typeParam(call, 'to') === from;
  if (same) throw new ApiError(badRequest('The stand-in associates contacts with companies only.'));
  return from;
}

function targetsOf({ portal }: Call, { from, id }: { from: ObjectTypeId; id: string }) {
  const types = ASSOCIATION_TYPES[from];
  const ownId = findRecord(portal, { typeId: from, id })?.id ?? id;
  return associatedWith(portal, { typeId: from, id: ownId }).map((one) => ({
    toObjectId: one.id,
    associationTypes: [
      ...(one.primary ? [{ category: 'HUBSPOT_DEFINED', typeId: types.primary, label: 'Primary' }] : []),
      { category: 'HUBSPOT_DEFINED', typeId: types.unlabelled, label: null },
    ],
  }));
}

function bothWays(from: ObjectTypeId, { fromId, toId }: { fromId: string; toId: string }) {
  const spec = (typeId: ObjectTypeId) => ({
    associationCategory: 'HUBSPOT_DEFINED',
    associationTypeId: ASSOCIATION_TYPES[typeId].unlabelled,
  });
  return [
    { from: { id: fromId }, to: { id: toId }, associationSpec: spec(from) },
    { from: { id: toId }, to: { id: fromId }, associationSpec: spec(from === '0-1' ? '0-2' : '0-1') },
  ];
}

const FREE_MAIL = /^(?:gmail|googlemail|outlook|hotmail|yahoo|icloud)\.com$|^gmx\.de$/;

/** Creates and associates a company for the domain of a new contact's address, if the account's setting says so. */
export function companyFromEmail(portal: Portal, contact: StoredRecord): void {
  if (!portal.state.settings.associateByEmailDomain || contact.typeId !== '0-1') return;
  const [, domain] = readValue(portal, { record: contact, name: 'email' }).split('@');
  if (!domain || FREE_MAIL.test(domain)) return;
  const actor = { sourceType: 'AUTO_ASSOCIATE_BY_DOMAIN', sourceId: 'CompanyFromEmail' };
  const company =
    liveRecords(portal, '0-2').find((one) => readValue(portal, { record: one, name: 'domain' }) === domain) ??
    createRecord(portal, { typeId: '0-2', values: { domain, name: domain }, actor });
  associate(portal, { contactId: contact.id, companyId: company.id, actor });
}
