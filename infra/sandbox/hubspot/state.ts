import type { Clock, Random } from '../../../shared/kernel/index.ts';
import {
  defaultProperties,
  defaultPropertyGroups,
  type PropertyDefinition,
  type PropertyGroup,
} from './properties.ts';
import type { SandboxSettings } from './settings.ts';

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

interface RequestCount {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  count: number;
}

type PerType<T> = Record<ObjectTypeId, Record<string, T>>;

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
    faultHits: [],
    requests: [],
    writes: { records: 0, properties: 0 },
    windows: {},
    daily: { day: '', count: 0 },
  };
}

export function isPortalState(value: unknown): value is PortalState {
  const parts = ['settings', 'records', 'mergedInto', 'properties', 'groups', 'creations'];
  const state = Object(value) as Readonly<Record<string, unknown>>;
  return state['version'] === 1 && parts.every((part) => Object(state[part]) === state[part]);
}

/** The account with its clock and randomness. It is passed to all code that reads or changes the account. */
export interface Portal {
  /** A reset replaces the whole state. */
  state: PortalState;
  readonly clock: Clock;
  readonly random: Random;
  /** Resolves when an event or a setting changes, and is then replaced. */
  wake: PromiseWithResolvers<void>;
}

/** Author of a change, as in HubSpot's histories and events. */
export interface Actor {
  /** `INTEGRATION`, `CRM_UI`, `IMPORT`, `FORM`, ... */
  readonly sourceType: string;
  readonly sourceId: string;
  readonly userId?: number;
}

/** The app, as the author of writes with its token. */
export function appActor(settings: SandboxSettings): Actor {
  return { sourceType: 'INTEGRATION', sourceId: String(settings.appId) };
}

/** A person at the screen. */
export function personActor(userId: number): Actor {
  return { sourceType: 'CRM_UI', sourceId: `userId:${userId}`, userId };
}

/** Default person at the screen. */
export const VIEWER = { userId: 1_001, userEmail: 'somebody@portal.example' };

/** One element of a delivery, without its attempt number. */
export type WebhookPayload = Readonly<Record<string, string | number | boolean | readonly number[]>>;

/** An event that waits for delivery. `dueAt` in epoch milliseconds. */
export interface PendingEvent {
  readonly key: number;
  readonly payload: WebhookPayload;
  /** `typeId:id`, for creation events only. */
  readonly creationOf?: string;
  attempt: number;
  dueAt: number;
}

/** The execution of a workflow's action for one record. */
export interface StoredExecution {
  readonly callbackId: string;
  readonly typeId: ObjectTypeId;
  readonly recordId: string;
  /** `failed`: the action refused the record, or did not answer. */
  state: 'held' | 'completed' | 'failed';
  outputs: Record<string, string>;
}

/** 0-1 is the contact, 0-2 the company. */
export type ObjectTypeId = '0-1' | '0-2';
type ObjectTypeName = 'contact' | 'company';

const NAMES: ReadonlyMap<string, ObjectTypeId> = new Map([
  ['0-1', '0-1'],
  ['contact', '0-1'],
  ['contacts', '0-1'],
  ['0-2', '0-2'],
  ['company', '0-2'],
  ['companies', '0-2'],
]);

/** Accepts ids, singular and plural names, in any case. */
export function objectTypeIdOf(name: string): ObjectTypeId | undefined {
  return NAMES.get(name.toLowerCase());
}

export function singularName(typeId: ObjectTypeId): ObjectTypeName {
  return typeId === '0-1' ? 'contact' : 'company';
}

export function pluralName(typeId: ObjectTypeId): 'contacts' | 'companies' {
  return typeId === '0-1' ? 'contacts' : 'companies';
}
