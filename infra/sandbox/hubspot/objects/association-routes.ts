import { ApiError, badRequest, failureBody, notFound } from '../door/api-error.ts';
import { asObject, listIn, requiredText } from '../door/json.ts';
import { type Call, param, type Reply, type Route, typeParam } from '../door/route.ts';
import {
  ASSOCIATION_TYPES,
  associate,
  associatedWith,
  dissociate,
  pairOf,
  saysPrimary,
} from './associations.ts';
import type { ObjectTypeId } from './object-types.ts';
import { iso } from './record-view.ts';
import { findRecord } from './records.ts';

const OF_RECORD = '/crm/objects/{version}/{from}/{id}/associations';
const BATCH = '/crm/associations/{version}/{from}/{to}/batch';
const READ_MOST = 1_000;
const WRITE_MOST = 2_000;

/** Routes of associations between contacts and companies, in the formats of v4 and the dated versions. */
export const ASSOCIATION_ROUTES: readonly Route[] = (
  [
    { method: 'PUT', path: `${OF_RECORD}/default/{to}/{toId}`, needs: 'write', run: associateDefault },
    { method: 'GET', path: `${OF_RECORD}/{to}`, needs: 'read', run: listOf },
    { method: 'POST', path: `${BATCH}/read`, needs: 'read', run: readBatch },
    { method: 'POST', path: `${BATCH}/create`, needs: 'write', run: createBatch },
    { method: 'POST', path: `${BATCH}/associate/default`, needs: 'write', run: createBatch },
    { method: 'POST', path: `${BATCH}/archive`, needs: 'write', run: archiveBatch },
  ] satisfies readonly Route[]
).map((route) => ({ ...route, bucket: 'associations' }));

function associateDefault(call: Call): Reply {
  const { from, pair } = pairInPath(call);
  associate(call.portal, { ...pair, actor: call.actor });
  const results = bothWays(from, { fromId: param(call, 'id'), toId: param(call, 'toId') });
  return { status: 200, body: { status: 'COMPLETE', results, ...batchTimes(call) } };
}

function listOf(call: Call): Reply {
  const { from } = typesOf(call);
  const record = findRecord(call.portal, { typeId: from, id: param(call, 'id') });
  if (!record || record.archivedAt !== null) {
    throw new ApiError(notFound('No record has this id.', { context: { ids: [param(call, 'id')] } }));
  }
  return { status: 200, body: { results: targetsOf(call, { from, id: record.id }) } };
}

function readBatch(call: Call): Reply {
  const { from } = typesOf(call);
  const ids = inputsOf(call, READ_MOST).map((input) => requiredText(input, 'id'));
  const rows = ids.map((id) => ({ id, to: targetsOf(call, { from, id }) }));
  const results = rows.filter(({ to }) => to.length > 0).map(({ id, to }) => ({ from: { id }, to }));
  const errors = rows.filter(({ to }) => to.length === 0).map(({ id }) => nothingAssociated(id));
  const failed = errors.length > 0 && { numErrors: errors.length, errors };
  return {
    status: failed ? 207 : 200,
    body: { status: 'COMPLETE', results, ...batchTimes(call), ...failed },
  };
}

function createBatch(call: Call): Reply {
  const { from } = typesOf(call);
  const results = inputsOf(call, WRITE_MOST).flatMap((input) => {
    const ends = endsOf(input);
    const primary = saysPrimary(from, input['types']);
    associate(call.portal, { ...pairOf(call.portal, { from, ...ends }), primary, actor: call.actor });
    return bothWays(from, ends);
  });
  return { status: 201, body: { status: 'COMPLETE', results, ...batchTimes(call) } };
}

/** Removes associations. In this call `to` is a list. */
function archiveBatch(call: Call): Reply {
  const { from } = typesOf(call);
  for (const input of inputsOf(call, WRITE_MOST)) {
    const fromId = requiredText(asObject(input['from'], 'from'), 'id');
    for (const to of listIn(input, 'to')) {
      const toId = requiredText(asObject(to, 'to'), 'id');
      dissociate(call.portal, { ...pairOf(call.portal, { from, fromId, toId }), actor: call.actor });
    }
  }
  return { status: 204 };
}

function endsOf(input: Record<string, unknown>): { fromId: string; toId: string } {
  return {
    fromId: requiredText(asObject(input['from'], 'from'), 'id'),
    toId: requiredText(asObject(input['to'], 'to'), 'id'),
  };
}

function pairInPath(call: Call) {
  const { from } = typesOf(call);
  const pair = pairOf(call.portal, { from, fromId: param(call, 'id'), toId: param(call, 'toId') });
  return { from, pair };
}

function typesOf(call: Call): { from: ObjectTypeId } {
  const from = typeParam(call, 'from');
  const same = typeParam(call, 'to') === from;
  if (same) throw new ApiError(badRequest('The stand-in associates contacts with companies only.'));
  return { from };
}

function inputsOf(call: Call, most: number): Record<string, unknown>[] {
  const inputs = listIn(asObject(call.body), 'inputs').map((input) => asObject(input, 'an input'));
  if (inputs.length <= most) return inputs;
  throw new ApiError(badRequest(`The maximum number of inputs supported in this batch request is ${most}`));
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
    { from: { id: toId }, to: { id: fromId }, associationSpec: spec(otherType(from)) },
  ];
}

function nothingAssociated(id: string): Record<string, unknown> {
  return failureBody(
    notFound('No associations were found for the record.', {
      subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND',
      context: { fromObjectId: [id] },
    }),
  );
}

function otherType(typeId: ObjectTypeId): ObjectTypeId {
  return typeId === '0-1' ? '0-2' : '0-1';
}

function batchTimes({ portal }: Call): Record<string, string> {
  const now = iso(portal.clock.now());
  return { startedAt: now, completedAt: now };
}
