import { ApiError, badRequest, notFound } from '../door/api-error.ts';
import { asObject, isJsonObject, listIn, requiredText } from '../door/json.ts';
import type { Actor, Portal } from '../portal.ts';
import type { Association, StoredRecord } from '../state.ts';
import { announce } from '../webhooks/webhook-events.ts';
import { type ObjectTypeId, objectTypeIdOf, pluralName } from './object-types.ts';
import { findRecord } from './records.ts';

/** HubSpot's ids of the two kinds of association, by the type of the first record. */
export const ASSOCIATION_TYPES = {
  '0-1': { unlabelled: 279, primary: 1 },
  '0-2': { unlabelled: 280, primary: 2 },
} as const;

export interface Pair {
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

export function saysPrimary(from: ObjectTypeId, types: unknown): boolean {
  const given = Array.isArray(types) ? types.filter(isJsonObject) : [];
  return given.some((type) => type['associationTypeId'] === ASSOCIATION_TYPES[from].primary);
}

export interface AssociatedRecord {
  readonly id: string;
  readonly primary: boolean;
}

/** The associated records, in the order of their association. */
export function associatedWith(
  portal: Portal,
  { typeId, id }: { typeId: ObjectTypeId; id: string },
): AssociatedRecord[] {
  const [own, other] =
    typeId === '0-1' ? (['contactId', 'companyId'] as const) : (['companyId', 'contactId'] as const);
  return portal.state.associations
    .filter((one) => one[own] === id)
    .map((one) => ({ id: one[other], primary: one.primary }));
}

/** The associations in the form of a record read with `associations`. */
export function associationsView(
  portal: Portal,
  { record, types }: { record: StoredRecord; types: readonly string[] },
) {
  const view: Record<string, unknown> = {};
  for (const name of types) {
    const to = objectTypeIdOf(name);
    if (!to) throw new ApiError(badRequest(`Unable to infer object type from: ${name}`));
    if (to === record.typeId) continue;
    const type = record.typeId === '0-1' ? 'contact_to_company' : 'company_to_contact';
    const found = associatedWith(portal, { typeId: record.typeId, id: record.id });
    const results = found.flatMap((one) => [
      ...(one.primary ? [{ id: one.id, type }] : []),
      { id: one.id, type: `${type}_unlabeled` },
    ]);
    if (results.length > 0) view[pluralName(to)] = { results };
  }
  return view;
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

interface AssociationEvent {
  readonly pair: Pair;
  readonly removed: boolean;
  readonly primary: boolean;
  readonly actor: Actor;
}

/** Announces the change for both records. */
function announceAssociation(portal: Portal, { pair, removed, primary, actor }: AssociationEvent): void {
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
