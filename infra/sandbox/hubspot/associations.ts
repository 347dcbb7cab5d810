import {
  ApiError,
  asObject,
  badRequest,
  type Call,
  failureBody,
  isJsonObject,
  listIn,
  notFound,
  param,
  type Reply,
  type Route,
  requiredText,
  typeParam,
} from './http.ts';
import { createRecord, findRecord, iso, liveRecords, readValue } from './records.ts';
import type { Actor, Association, ObjectTypeId, Portal, StoredRecord } from './state.ts';
import { announce } from './webhooks.ts';

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

/** Creates the associations of a create call. */
export function associateFromInput(
  portal: Portal,
  { record, wanted, actor }: { record: StoredRecord; wanted: unknown; actor: Actor },
): void {
  for (const one of listIn({ associations: wanted }, 'associations')) {
    const { to, types } = asObject(one, 'an association');
    const toId = requiredText(asObject(to, 'to'), 'id');
    const pair = pairOf(portal, { from: record.typeId, fromId: record.id, toId });
    associate(portal, { ...pair, primary: saysPrimary(record.typeId, types), actor });
  }
}

function saysPrimary(from: ObjectTypeId, types: unknown): boolean {
  const given = Array.isArray(types) ? types.filter(isJsonObject) : [];
  return given.some((type) => type['associationTypeId'] === ASSOCIATION_TYPES[from].primary);
}

/** The associated records, in the order of their association. */
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

/** Moves the associations of a merged record to the winner. */
export function moveAssociations(portal: Portal, { from, toId }: { from: StoredRecord; toId: string }): void {
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

/** Announces the change for both records. */
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

const OF_RECORD = '/crm/objects/{version}/{from}/{id}/associations';
const BATCH = '/crm/associations/{version}/{from}/{to}/batch';
const READ_MOST = 1_000;
const WRITE_MOST = 2_000;

/** Routes of associations between contacts and companies, in the formats of v4 and the dated versions. */
export const ASSOCIATION_ROUTES: readonly Route[] = (
  [
    { method: 'PUT', path: `${OF_RECORD}/default/{to}/{toId}`, needs: 'write', run: associateDefault },
    { method: 'POST', path: `${BATCH}/read`, needs: 'read', run: readBatch },
    { method: 'POST', path: `${BATCH}/create`, needs: 'write', run: createBatch },
    { method: 'POST', path: `${BATCH}/associate/default`, needs: 'write', run: createBatch },
    { method: 'POST', path: `${BATCH}/archive`, needs: 'write', run: archiveBatch },
  ] satisfies readonly Route[]
).map((route) => ({ ...route, bucket: 'associations' }));

function associateDefault(call: Call): Reply {
  const from = fromType(call);
  const ends = { fromId: param(call, 'id'), toId: param(call, 'toId') };
  associate(call.portal, { ...pairOf(call.portal, { from, ...ends }), actor: call.actor });
  const results = bothWays(from, ends);
  return { status: 200, body: { status: 'COMPLETE', results, ...batchTimes(call) } };
}

function readBatch(call: Call): Reply {
  const from = fromType(call);
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
  const from = fromType(call);
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
  const from = fromType(call);
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

function fromType(call: Call): ObjectTypeId {
  const from = typeParam(call, 'from');
  const same = typeParam(call, 'to') === from;
  if (same) throw new ApiError(badRequest('The stand-in associates contacts with companies only.'));
  return from;
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

const FREE_MAIL = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'yahoo.com',
  'icloud.com',
  'gmx.de',
];

/** Creates and associates a company for the domain of a new contact's address, if the account's setting says so. */
export function companyFromEmail(portal: Portal, contact: StoredRecord): void {
  if (!portal.state.settings.associateByEmailDomain || contact.typeId !== '0-1') return;
  const domain = readValue(portal, { record: contact, name: 'hs_email_domain' });
  if (domain === '' || FREE_MAIL.includes(domain)) return;
  const actor = { sourceType: 'AUTO_ASSOCIATE_BY_DOMAIN', sourceId: 'CompanyFromEmail' };
  const company =
    liveRecords(portal, '0-2').find((one) => readValue(portal, { record: one, name: 'domain' }) === domain) ??
    createRecord(portal, { typeId: '0-2', values: { domain, name: domain }, actor });
  associate(portal, { contactId: contact.id, companyId: company.id, actor });
}
