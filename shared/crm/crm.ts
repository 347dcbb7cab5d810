import type { CrmCompanies } from './companies.ts';
import type { CrmRecord, ObjectType } from './crm-record.ts';
import type { HubSpotFailure } from './hubspot-failures.ts';
import type { PropertyDefinitions } from './property-definition.ts';
import type { Lane } from './urgency.ts';

export interface CrmWrite {
  readonly id: string;
  readonly properties: Readonly<Record<string, string>>;
}

export type CrmWriteResult =
  /** `properties` as HubSpot returned them after the write. */
  | {
      readonly kind: 'written';
      readonly id: string;
      readonly properties: Readonly<Record<string, string | null>>;
    }
  /** HubSpot failed before it came to this record. */
  | { readonly kind: 'postponed'; readonly id: string; readonly reason: string }
  /** HubSpot refused this record; `reason` is its own, without personal data, `properties` those that it named. */
  | {
      readonly kind: 'refused';
      readonly id: string;
      readonly reason: string;
      readonly properties: readonly string[];
      /** The account's fault, not the value's: an administrator can lift it. */
      readonly isLiftable?: true;
    };

export interface CrmReading {
  /** The records that exist, by the id that was asked for: a merged record answers under its old id too. */
  readonly records: ReadonlyMap<string, CrmRecord>;
  /** Why HubSpot would not tell of a record at all, by id. */
  readonly failed: ReadonlyMap<string, string>;
  /** Versions of the properties that were asked for with their history. */
  readonly history?: CrmHistory;
}

/** Whether HubSpot has some records. For an id in neither set, HubSpot gave no clear answer. */
export interface CrmLookup {
  /** Merges followed. */
  readonly found: ReadonlySet<string>;
  /** Ids that HubSpot itself named as not found. */
  readonly notFound: ReadonlySet<string>;
}

/** What one attempt to write came to, record by record. */
export type CrmAttempt =
  | {
      readonly kind: 'answered';
      readonly results: readonly CrmWriteResult[];
      /** Ids that were not written because the batch was refused for the sake of another. */
      readonly untouched: readonly string[];
      /** Ids that the answer does not name: unknown. */
      readonly untold: readonly string[];
    }
  /** `mayHaveArrived`: HubSpot may have written it all the same, or may still do so. */
  | { readonly kind: 'failed'; readonly error: HubSpotFailure; readonly mayHaveArrived: boolean };

/** An entry of a property's history. */
export interface CrmVersion {
  readonly value: string;
  /** By HubSpot's clock, epoch milliseconds. */
  readonly timestampMs?: number | undefined;
  /** An open list: `CRM_UI`, `INTEGRATION`, `IMPORT`, `FORM` ... */
  readonly sourceType: string;
  /** Of an integration: its app's id. */
  readonly sourceId?: string | undefined;
}

/** An execution of the workflow's action that HubSpot holds, and what the workflow is told. */
export interface CompletedAction {
  readonly callbackId: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** By record and property, newest first; nothing for what HubSpot does not tell. */
export type CrmHistory = ReadonlyMap<string, Readonly<Record<string, readonly CrmVersion[]>>>;

/** Records created in it are listed page by page. Epoch milliseconds. */
export interface SweepWindow {
  readonly fromMs: number;
  readonly toMs: number;
  readonly afterId?: string | undefined;
}

export interface CreatedRecord {
  readonly id: string;
  /** Who brought it, as HubSpot names it: `IMPORT`, `FORM` ... */
  readonly source: string;
}

/** A property has this value, is a date up to this moment, or is blank. */
export type CrmFilter = { readonly property: string } & (
  | { readonly value: string }
  | { readonly upToMs: number }
  | { readonly blank: true }
);

/** HubSpot's limit of a batch update. */
export const WRITES_AT_ONCE = 100;

/** HubSpot, as enrichment sees it. Failures of the whole are UpstreamErrors with codes `HUBSPOT_*` or `HTTP_*`. */
export interface Crm {
  /** Each record alone: one that cannot be read does not keep the others. */
  read(query: {
    objectType: ObjectType;
    ids: readonly string[];
    properties: readonly string[];
    /** Properties whose history is read in the same requests, which then take half as many records. */
    historyOf?: readonly string[];
  }): Promise<CrmReading>;
  /** One request for at most 100 ids. @param query.archived looks among archived records instead. */
  lookUp(query: { objectType: ObjectType; ids: readonly string[]; archived: boolean }): Promise<CrmLookup>;
  /** The account that the access token belongs to; `undefined` where the app may not read it. */
  portalId(): Promise<string | undefined>;
  /** One attempt, never repeated: what is there has to be read before each. At most `WRITES_AT_ONCE` records. */
  write(change: { objectType: ObjectType; writes: readonly CrmWrite[] }): Promise<CrmAttempt>;
  readonly companies: CrmCompanies;
  /** Tells workflows how their executions ended; safe to repeat. */
  completeActions(actions: readonly CompletedAction[]): Promise<void>;
  /** The same, with a time limit: a request that lasts longer fails as retryable. */
  until(atMs: number): Crm;
  /** Who wrote what these properties hold and held, of other records' too; nothing is asked where none is named. */
  history(query: {
    objectType: ObjectType;
    records: readonly { readonly id: string; readonly properties: readonly string[] }[];
  }): Promise<CrmHistory>;
  /** Until when this work should leave the account's daily requests to others, epoch milliseconds; nothing: go on. */
  pausedUntil(lane: Lane): Promise<number | undefined>;
  /** ISO code of the account's own currency, kept for some minutes; `undefined` where the app may not read it. */
  currency(): Promise<string | undefined>;
  /** The portal's properties, kept for some minutes. */
  definitions(objectType: ObjectType): Promise<PropertyDefinitions>;
  /** Ids of the records that fit each filter, lowest first, from after `afterId` on; at most `limit`. */
  list(query: {
    objectType: ObjectType;
    where: readonly CrmFilter[];
    afterId?: string | undefined;
    limit: number;
  }): Promise<{ readonly ids: readonly string[]; readonly total: number }>;
  /** Records created in the window, lowest id first, from after `afterId` on; at most `limit`. */
  createdBetween(
    query: SweepWindow & { objectType: ObjectType; limit: number },
  ): Promise<readonly CreatedRecord[]>;
}
