import type { Portal } from '../portal.ts';
import type { PropertyDefinition } from '../properties/property-definition.ts';
import type { HistoryEntry, StoredRecord } from '../state.ts';
import type { ObjectTypeId } from './object-types.ts';

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

export interface ViewRequest {
  readonly record: StoredRecord;
  readonly properties?: readonly string[];
  readonly withHistory?: readonly string[];
}

/** The record in the API's form: strings, `null` for empty properties, without unknown names. */
export function viewRecord(portal: Portal, { record, ...wish }: ViewRequest): Record<string, unknown> {
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

/** Name of the modification date, which differs by type. */
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
  return Object.fromEntries(
    known.map((name) => [name, entriesView(portal, historyOf(portal, { record, name }))]),
  );
}

/** History of a property. A computed property has one entry, its present value. */
function historyOf(
  portal: Portal,
  { record, name }: { record: StoredRecord; name: string },
): readonly HistoryEntry[] {
  const computed = computedValue(portal, { record, name });
  if (computed === undefined) return record.history[name] ?? [];
  if (computed === '') return [];
  return [
    { value: computed, timestamp: record.createdAt, sourceType: 'CALCULATED', sourceId: 'RecordProperties' },
  ];
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
    case 'hs_object_source_id':
      return record.source.id;
    case 'hs_email_domain':
      return record.typeId === '0-1' ? (record.values['email']?.split('@')[1] ?? '') : undefined;
    case 'associatedcompanyid':
      return record.typeId === '0-1' ? primaryCompanyOf(portal, record.id) : undefined;
    case 'num_associated_contacts':
      return record.typeId === '0-2' ? String(contactsOf(portal, record.id)) : undefined;
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

function primaryCompanyOf(portal: Portal, contactId: string): string {
  return portal.state.associations.find((one) => one.contactId === contactId && one.primary)?.companyId ?? '';
}

function contactsOf(portal: Portal, companyId: string): number {
  return portal.state.associations.filter((one) => one.companyId === companyId).length;
}
