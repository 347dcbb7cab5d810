import { isJsonObject } from './door/json.ts';
import type { StoredExecution } from './extensions/stored-execution.ts';
import type { ObjectTypeId } from './objects/object-types.ts';
import { defaultProperties, defaultPropertyGroups } from './properties/default-properties.ts';
import type { PropertyDefinition, PropertyGroup } from './properties/property-definition.ts';
import type { SandboxSettings } from './settings.ts';
import type { PendingEvent, WebhookPayload } from './webhooks/pending-event.ts';

/** A past value of a property. `timestamp` in epoch milliseconds. */
export interface HistoryEntry {
  readonly value: string;
  readonly timestamp: number;
  readonly sourceType: string;
  readonly sourceId: string;
  readonly updatedByUserId?: number;
}

/** Times in epoch milliseconds. */
export interface StoredRecord {
  readonly id: string;
  readonly typeId: ObjectTypeId;
  readonly createdAt: number;
  readonly source: { readonly type: string; readonly id: string };
  updatedAt: number;
  archivedAt: number | null;
  /** Ids of the records that were merged into this one. */
  mergedIds: string[];
  values: Record<string, string>;
  /** Newest first. */
  history: Record<string, HistoryEntry[]>;
}

export interface Association {
  readonly contactId: string;
  readonly companyId: string;
  primary: boolean;
}

export interface RequestCount {
  readonly method: string;
  /** Path with the names of its variable parts in braces. */
  readonly path: string;
  readonly status: number;
  count: number;
}

type PerType<T> = Record<ObjectTypeId, Record<string, T>>;

/** The whole state of the account, as plain JSON values. */
export interface PortalState {
  readonly version: 1;
  settings: SandboxSettings;
  nextRecordId: number;
  nextEventKey: number;
  records: PerType<StoredRecord>;
  /** Merged ids, with the id of the record that they were merged into. */
  mergedInto: PerType<string>;
  properties: PerType<PropertyDefinition>;
  groups: PerType<PropertyGroup>;
  associations: Association[];
  pendingEvents: PendingEvent[];
  /** The creation event of each record by `typeId:id`, with the number of its last attempt. */
  creations: Record<string, { payload: WebhookPayload; lastAttempt: number }>;
  executions: StoredExecution[];
  webhooks: { delivered: number; failedAttempts: number; dropped: number };
  /** Occurrences of each fault, by its index in the settings. */
  faultHits: number[];
  requests: RequestCount[];
  writes: { records: number; properties: number };
  /** Times of the requests that still count for a rate limit, by bucket. */
  windows: Record<string, number[]>;
  daily: { day: string; count: number };
}

export function initialState(settings: SandboxSettings): PortalState {
  return {
    version: 1,
    settings,
    // Real HubSpot ids exceed 32 bits.
    nextRecordId: 546_500_000_001,
    nextEventKey: 1,
    records: { '0-1': {}, '0-2': {} },
    mergedInto: { '0-1': {}, '0-2': {} },
    properties: { '0-1': defaultProperties('0-1'), '0-2': defaultProperties('0-2') },
    groups: { '0-1': defaultPropertyGroups('0-1'), '0-2': defaultPropertyGroups('0-2') },
    associations: [],
    pendingEvents: [],
    creations: {},
    executions: [],
    webhooks: { delivered: 0, failedAttempts: 0, dropped: 0 },
    faultHits: [],
    requests: [],
    writes: { records: 0, properties: 0 },
    windows: {},
    daily: { day: '', count: 0 },
  };
}

export function isPortalState(value: unknown): value is PortalState {
  const parts = ['settings', 'records', 'mergedInto', 'properties', 'groups', 'creations'];
  return isJsonObject(value) && value['version'] === 1 && parts.every((part) => isJsonObject(value[part]));
}
