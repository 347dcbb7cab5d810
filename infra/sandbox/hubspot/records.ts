import { DAY_MS } from '../../../shared/kernel/index.ts';
import type { PropertyDefinition } from './properties.ts';
import type { Actor, HistoryEntry, ObjectTypeId, Portal, StoredRecord } from './state.ts';
import { announce } from './webhooks.ts';

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

function isExpired({ clock }: Portal, { archivedAt }: StoredRecord): boolean {
  return archivedAt !== null && clock.now() >= archivedAt + ARCHIVED_MS;
}

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

export interface LifeChange {
  readonly record: StoredRecord;
  readonly actor: Actor;
}

interface Write {
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
    record.history[name] = [entry, ...(record.history[name] ?? [])];
    if (announced) announceChange(portal, record, { name, value, actor });
  }
  if ('email' in values || 'hs_additional_emails' in values) indexAddresses(portal, record);
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

type Contacts = Readonly<Record<string, StoredRecord>>;

/** Ids of the contacts that ever had an address. The key is the portal's object of contacts, which a restart replaces. */
const idsByAddress = new WeakMap<Contacts, Map<string, Set<string>>>();

/** Finds the live contact with this address, by an index. */
export function holderOf(portal: Portal, address: string): StoredRecord | undefined {
  const contacts: Contacts = portal.state.records['0-1'];
  const wanted = address.trim().toLowerCase();
  if (!idsByAddress.has(contacts)) {
    idsByAddress.set(contacts, new Map());
    for (const contact of Object.values(contacts)) indexAddresses(portal, contact);
  }
  return [...(idsByAddress.get(contacts)?.get(wanted) ?? [])]
    .flatMap((id) => (Object.hasOwn(contacts, id) ? (contacts[id] ?? []) : []))
    .filter((contact) => contact.archivedAt === null && addressesOf(contact).includes(wanted))
    .sort((a, b) => Number(a.id) - Number(b.id))[0];
}

export function indexAddresses({ state }: Portal, record: StoredRecord): void {
  const index = idsByAddress.get(state.records['0-1']);
  if (!index || record.typeId !== '0-1') return;
  for (const address of addressesOf(record))
    index.set(address, (index.get(address) ?? new Set()).add(record.id));
}

/** A contact has several additional addresses, and each of them is unique. */
function addressesOf({ values }: StoredRecord): readonly string[] {
  const all = [values['email'] ?? '', ...(values['hs_additional_emails']?.split(';') ?? [])];
  return all.filter((one) => one !== '').map((one) => one.toLowerCase());
}

/** Properties that HubSpot returns by default. */
const DEFAULT_FIELDS: Readonly<Record<ObjectTypeId, readonly string[]>> = {
  '0-1': ['createdate', 'email', 'firstname', 'hs_object_id', 'lastmodifieddate', 'lastname'],
  '0-2': ['createdate', 'domain', 'hs_lastmodifieddate', 'hs_object_id', 'name'],
};

/** The definition, unless it is missing or archived. */
export function liveProperty(
  portal: Portal,
  { typeId, name }: { typeId: ObjectTypeId; name: string },
): PropertyDefinition | undefined {
  const found = propertyOf(portal, { typeId, name });
  return found?.archived ? undefined : found;
}

/** The definition, archived or not, unless this account lacks the property. */
export function propertyOf(
  portal: Portal,
  { typeId, name }: { typeId: ObjectTypeId; name: string },
): PropertyDefinition | undefined {
  const properties = portal.state.properties[typeId];
  const found = Object.hasOwn(properties, name) ? properties[name] : undefined;
  const isLacked = found?.hubspotDefined && portal.state.settings.lackedProperties.includes(name);
  return isLacked ? undefined : found;
}

/** The present value, stored or computed. An empty string if there is none. */
export function readValue(portal: Portal, { record, name }: { record: StoredRecord; name: string }): string {
  return computedValue(portal, { record, name }) ?? record.values[name] ?? '';
}

/** The record in the API's form: strings, `null` for empty properties, without unknown names. */
export function viewRecord(
  portal: Portal,
  {
    record,
    ...wish
  }: { record: StoredRecord; properties?: readonly string[]; withHistory?: readonly string[] },
): Record<string, unknown> {
  const asked = wish.properties?.length || wish.withHistory?.length ? (wish.properties ?? []) : undefined;
  const names = new Set([
    ...(asked ?? DEFAULT_FIELDS[record.typeId]),
    ...(wish.withHistory ?? []),
    // HubSpot always returns these properties.
    'createdate',
    'hs_object_id',
    modifiedName(record.typeId),
  ]);
  const history = wish.withHistory?.length
    ? historyView(portal, { record, names: wish.withHistory })
    : undefined;
  return {
    id: record.id,
    properties: propertyView(portal, { record, names }),
    ...(history && { propertiesWithHistory: history }),
    createdAt: iso(record.createdAt),
    updatedAt: iso(record.updatedAt),
    archived: record.archivedAt !== null,
    ...(record.archivedAt !== null && { archivedAt: iso(record.archivedAt) }),
    url: `https://app.hubspot.com/contacts/${portal.state.settings.portalId}/record/${record.typeId}/${record.id}`,
  };
}

function modifiedName(typeId: ObjectTypeId): 'lastmodifieddate' | 'hs_lastmodifieddate' {
  return typeId === '0-1' ? 'lastmodifieddate' : 'hs_lastmodifieddate';
}

export function iso(time: number): string {
  return new Date(time).toISOString();
}

function propertyView(portal: Portal, { record, names }: { record: StoredRecord; names: Iterable<string> }) {
  const view: Record<string, string | null> = {};
  for (const name of [...names].sort()) {
    if (liveProperty(portal, { typeId: record.typeId, name }))
      view[name] = readValue(portal, { record, name }) || blankValue(portal, { record, name });
  }
  return view;
}

function blankValue(portal: Portal, { record, name }: { record: StoredRecord; name: string }): '' | null {
  const wasFilled = record.history[name] !== undefined;
  return wasFilled && portal.state.settings.emptiedValues === 'empty-text' ? '' : null;
}

function historyView(portal: Portal, { record, names }: { record: StoredRecord; names: readonly string[] }) {
  const known = names.filter((name) => liveProperty(portal, { typeId: record.typeId, name }));
  return Object.fromEntries(known.map((name) => [name, entriesView(portal, record.history[name] ?? [])]));
}

function entriesView({ state }: Portal, entries: readonly HistoryEntry[]): Record<string, unknown>[] {
  const { historyOrder, historySource, personSource } = state.settings;
  const sources: Readonly<Record<string, string>> = { INTEGRATION: historySource, CRM_UI: personSource };
  const shown = entries.map(({ timestamp, ...entry }) => ({
    ...entry,
    sourceType: sources[entry.sourceType] ?? entry.sourceType,
    timestamp: iso(timestamp),
  }));
  return historyOrder === 'newest-first' ? shown : shown.reverse();
}

function computedValue(
  portal: Portal,
  { record, name }: { record: StoredRecord; name: string },
): string | undefined {
  switch (name) {
    case 'hs_object_id':
      return record.id;
    case 'createdate':
      return creationDate(record);
    case modifiedName(record.typeId):
      return iso(record.updatedAt);
    case 'hs_merged_object_ids':
      return record.mergedIds.join(';');
    case 'hs_object_source':
      return record.source.type;
    case 'associatedcompanyid':
      return record.typeId === '0-1'
        ? (portal.state.associations.find((one) => one.contactId === record.id && one.primary)?.companyId ??
            '')
        : undefined;
    default:
      return undefined;
  }
}

const creationDates = new WeakMap<StoredRecord, string>();

/** Creation date in the API's form. Cached, because each search reads it for every record. */
function creationDate(record: StoredRecord): string {
  const known = creationDates.get(record) ?? iso(record.createdAt);
  creationDates.set(record, known);
  return known;
}
