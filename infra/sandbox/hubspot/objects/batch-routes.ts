import { ApiError, badRequest, type Failure, failureBody, notFound } from '../door/api-error.ts';
import { recordFailure } from '../door/faults.ts';
import { asObject, type JsonObject, optionalText, requiredText, textsIn } from '../door/json.ts';
import { type Call, type Reply, type Route, typeParam } from '../door/route.ts';
import type { StoredRecord } from '../state.ts';
import { associateFromInput } from './associations.ts';
import {
  type Batch,
  batchInputs,
  batchReply,
  isPartial,
  type Prepared,
  refuseDuplicates,
  runBatch,
} from './batch.ts';
import { companyFromEmail } from './company-from-email.ts';
import { recordBy, writtenView } from './object-routes.ts';
import { type ObjectTypeId, singularName } from './object-types.ts';
import { checkInput } from './record-input.ts';
import { viewRecord } from './record-view.ts';
import { archiveRecord, createRecord, ownRecord, writeValues } from './records.ts';

const BATCH = '/crm/objects/{version}/{objectType}/batch';

/** Batch routes, for up to 100 records a call. */
export const BATCH_ROUTES: readonly Route[] = [
  { method: 'POST', path: `${BATCH}/read`, needs: 'read', run: readMany },
  { method: 'POST', path: `${BATCH}/create`, needs: 'write', run: createMany },
  { method: 'POST', path: `${BATCH}/update`, needs: 'write', run: updateMany },
  { method: 'POST', path: `${BATCH}/archive`, needs: 'write', run: archiveMany },
];

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
    const found = recordBy(call, { typeId, idProperty: optionalText(body, 'idProperty'), value: id });
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
    prepare: (input) => prepareCreate(call, { typeId, input }),
  });
}

/** Updates records by id or unique property. A merged id is not found. */
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
      const idProperty = optionalText(input, 'idProperty');
      const record = idProperty
        ? recordBy(call, { typeId, idProperty, value: id })
        : ownRecord(call.portal, { typeId, id });
      if (!record || record.archivedAt !== null) return { ok: false, failure: noSuchRecords(typeId, [id]) };
      return prepareUpdate(call, { record, input });
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

interface Creation {
  readonly typeId: ObjectTypeId;
  readonly input: JsonObject;
}

function prepareCreate(call: Call, { typeId, input }: Creation): Prepared {
  const { portal, actor, newest } = call;
  const checked = checkInput(portal, { typeId, properties: input['properties'], actor, newest });
  if (!checked.ok) return checked;
  const apply = () => {
    const record = createRecord(portal, { typeId, values: checked.values, actor });
    associateFromInput(portal, { record, wanted: input['associations'], actor });
    companyFromEmail(portal, record);
    return writtenView(call, { record, ...checked });
  };
  return { ok: true, apply };
}

function prepareUpdate(call: Call, { record, input }: { record: StoredRecord; input: JsonObject }): Prepared {
  const { portal, actor, newest } = call;
  const failure = recordFailure(call, record.id);
  if (failure) return { ok: false, failure };
  const { properties } = input;
  const checked = checkInput(portal, { typeId: record.typeId, properties, record, actor, newest });
  if (!checked.ok) return checked;
  const apply = () => {
    writeValues(portal, { record, values: checked.values, actor });
    return writtenView(call, { record, ...checked });
  };
  return { ok: true, apply };
}

function noSuchRecords(typeId: ObjectTypeId, ids: readonly string[]): Failure {
  const kind = singularName(typeId).toUpperCase();
  return notFound(`Could not get some ${kind} objects, they may be deleted or not exist.`, {
    context: { ids },
  });
}
