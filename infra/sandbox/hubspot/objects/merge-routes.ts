import { ApiError, badRequest, notFound } from '../door/api-error.ts';
import { asObject, requiredText } from '../door/json.ts';
import { type Call, type Reply, type Route, typeParam } from '../door/route.ts';
import type { Actor, Portal } from '../portal.ts';
import type { StoredRecord } from '../state.ts';
import { announce } from '../webhooks/webhook-events.ts';
import { moveAssociations } from './associations.ts';
import { indexValues } from './holders.ts';
import { gdprDeleteTarget } from './object-routes.ts';
import type { ObjectTypeId } from './object-types.ts';
import { viewRecord } from './record-view.ts';
import { eraseRecord, findRecord, newId, removeRecord } from './records.ts';

/** Routes that merge two records, or erase one permanently. */
export const MERGE_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/crm/objects/{version}/{objectType}/merge', needs: 'write', run: merge },
  {
    method: 'POST',
    path: '/crm/objects/{version}/{objectType}/gdpr-delete',
    needs: 'write',
    run: gdprDelete,
  },
];

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
  if (typeParam(call) !== '0-1') throw new ApiError(badRequest('Only contacts can be deleted in this way.'));
  eraseRecord(call.portal, { record: gdprDeleteTarget(call), actor: call.actor });
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
  announceMerge(portal, { winner, primary, other, moved: moved.length, actor });
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

interface Merged {
  readonly winner: StoredRecord;
  readonly primary: StoredRecord;
  readonly other: StoredRecord;
  readonly moved: number;
  readonly actor: Actor;
}

function announceMerge(portal: Portal, { winner, primary, other, moved, actor }: Merged): void {
  announce(portal, {
    kind: 'merge',
    typeId: winner.typeId,
    objectId: winner.id,
    actor,
    fields: {
      primaryObjectId: Number(primary.id),
      mergedObjectIds: [Number(other.id)],
      newObjectId: Number(winner.id),
      numberOfPropertiesMoved: moved,
    },
  });
}

function mergeable(portal: Portal, { typeId, id }: { typeId: ObjectTypeId; id: string }): StoredRecord {
  const record = findRecord(portal, { typeId, id });
  if (!record || record.archivedAt !== null) {
    throw new ApiError(notFound('One of the records to merge does not exist.', { context: { ids: [id] } }));
  }
  return record;
}
