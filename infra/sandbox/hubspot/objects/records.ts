import { DAY_MS } from '../../../../shared/kernel/index.ts';
import type { Actor, Portal } from '../portal.ts';
import type { StoredRecord } from '../state.ts';
import { announce } from '../webhooks/webhook-events.ts';
import { indexValues } from './holders.ts';
import type { ObjectTypeId } from './object-types.ts';

interface NewRecord {
  readonly typeId: ObjectTypeId;
  /** Checked values in stored form. */
  readonly values: Readonly<Record<string, string>>;
  readonly actor: Actor;
}

/** Finds the record of an id, which may be a merged id. */
export function findRecord(
  portal: Portal,
  { typeId, id }: { typeId: ObjectTypeId; id: string },
): StoredRecord | undefined {
  let current = id;
  while (portal.state.mergedInto[typeId][current] !== undefined) {
    current = portal.state.mergedInto[typeId][current] ?? current;
  }
  return ownRecord(portal, { typeId, id: current });
}

/** Finds the record with exactly this id. */
export function ownRecord(
  portal: Portal,
  { typeId, id }: { typeId: ObjectTypeId; id: string },
): StoredRecord | undefined {
  const records = portal.state.records[typeId];
  const record = Object.hasOwn(records, id) ? records[id] : undefined;
  return record && isExpired(portal, record) ? undefined : record;
}

/** HubSpot keeps archived records for 90 days. */
const ARCHIVED_MS = 90 * DAY_MS;

export function isExpired({ clock }: Portal, { archivedAt }: StoredRecord): boolean {
  return archivedAt !== null && clock.now() >= archivedAt + ARCHIVED_MS;
}

/** Live records in the order of their ids. */
export function liveRecords(portal: Portal, typeId: ObjectTypeId): StoredRecord[] {
  return Object.values(portal.state.records[typeId]).filter((record) => record.archivedAt === null);
}

export function createRecord(portal: Portal, { typeId, values, actor }: NewRecord): StoredRecord {
  const now = portal.clock.now();
  const record: StoredRecord = {
    id: newId(portal),
    typeId,
    createdAt: now,
    source: { type: actor.sourceType, id: actor.sourceId },
    updatedAt: now,
    archivedAt: null,
    mergedIds: [],
    values: {},
    history: {},
  };
  portal.state.records[typeId][record.id] = record;
  const fields = { changeFlag: 'CREATED' };
  announce(portal, { kind: 'creation', typeId, objectId: record.id, actor, fields });
  const announced = portal.state.settings.propertyChangeOnCreation;
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  writeValues(portal, { record, values: filled, actor, announced });
  return record;
}

/** A change that archives, restores or erases a record. */
export interface LifeChange {
  readonly record: StoredRecord;
  readonly actor: Actor;
}

export interface Write {
  readonly record: StoredRecord;
  readonly values: Readonly<Record<string, string>>;
  readonly actor: Actor;
  /** Whether the change is announced. True by default. */
  readonly announced?: boolean;
}

/** Sets values, keeps the history, and announces the changes. Always updates the modification date. */
export function writeValues(portal: Portal, { record, values, actor, announced = true }: Write): void {
  const now = portal.clock.now();
  record.updatedAt = now;
  if (actor.sourceType === 'INTEGRATION') countWrite(portal, Object.keys(values).length);
  for (const [name, value] of Object.entries(values)) {
    const same = (record.values[name] ?? '') === value;
    if (same && portal.state.settings.unchangedWrites === 'ignored') continue;
    record.values[name] = value;
    const entry = {
      value,
      timestamp: now,
      sourceType: actor.sourceType,
      sourceId: actor.sourceId,
      ...(actor.userId !== undefined && { updatedByUserId: actor.userId }),
    };
    indexValues(portal, record, [name]);
    record.history[name] = [entry, ...(record.history[name] ?? [])];
    if (announced) announceChange(portal, record, { name, value, actor });
  }
}

export function archiveRecord(portal: Portal, { record, actor }: LifeChange): void {
  if (record.archivedAt !== null) return;
  record.archivedAt = portal.clock.now();
  announceDeletion(portal, { record, actor });
}

export function restoreRecord(portal: Portal, { record, actor }: LifeChange): void {
  if (record.archivedAt === null) return;
  record.archivedAt = null;
  record.updatedAt = portal.clock.now();
  const fields = { changeFlag: 'RESTORED' };
  announce(portal, { kind: 'restore', typeId: record.typeId, objectId: record.id, actor, fields });
}

/** Erases a record permanently, and announces two events. */
export function eraseRecord(portal: Portal, { record, actor }: LifeChange): void {
  removeRecord(portal, record);
  delete portal.state.creations[`${record.typeId}:${record.id}`];
  const { typeId, id: objectId } = record;
  announce(portal, { kind: 'privacyDeletion', typeId, objectId, actor, fields: { changeFlag: 'DELETED' } });
  announceDeletion(portal, { record, actor });
}

/** Removes the record and its associations without an event. */
export function removeRecord(portal: Portal, { typeId, id }: StoredRecord): void {
  delete portal.state.records[typeId][id];
  portal.state.associations = portal.state.associations.filter(
    (one) => (typeId === '0-1' ? one.contactId : one.companyId) !== id,
  );
}

function announceDeletion(portal: Portal, { record, actor }: LifeChange): void {
  const fields = { changeFlag: 'DELETED' };
  announce(portal, { kind: 'deletion', typeId: record.typeId, objectId: record.id, actor, fields });
}

/** Creates an id. Ids grow, with gaps. */
export function newId(portal: Portal): string {
  const id = portal.state.nextRecordId;
  portal.state.nextRecordId += 1 + Math.floor(portal.random() * 9);
  return String(id);
}

function countWrite(portal: Portal, properties: number): void {
  portal.state.writes.records += 1;
  portal.state.writes.properties += properties;
}

function announceChange(
  portal: Portal,
  record: StoredRecord,
  { name, value, actor }: { name: string; value: string; actor: Actor },
): void {
  announce(portal, {
    kind: 'propertyChange',
    typeId: record.typeId,
    objectId: record.id,
    actor,
    propertyName: name,
    fields: { propertyName: name, propertyValue: value, isSensitive: false },
  });
}
