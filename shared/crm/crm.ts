import {
  type ActionCallback,
  type Association,
  type FailureKind,
  HUBSPOT_ERRORS,
  type HubSpotErrorCode,
  type IdLookup,
  type PropertySpec,
  type PropertyVersion,
} from '#shared/hubspot';
import { UpstreamError } from '#shared/kernel';
import type { CrmRecord, Lane, ObjectType, PropertyDefinitions } from './crm-record.ts';

/** An entry of a property's history. */
export type CrmVersion = PropertyVersion;

/** An execution of the workflow action that waits in HubSpot, and its result for the workflow. */
export type CompletedAction = ActionCallback;

/** A property to create in HubSpot. */
export type NewProperty = PropertySpec;

interface CrmWrite {
  readonly id: string;
  readonly properties: Readonly<Record<string, string>>;
}

export type CrmWriteResult =
  /** `properties`: values that HubSpot returned after the write. */
  | {
      readonly kind: 'written';
      readonly id: string;
      readonly properties: Readonly<Record<string, string | null>>;
    }
  /** HubSpot failed temporarily before it wrote this record. */
  | { readonly kind: 'postponed'; readonly id: string; readonly reason: string }
  /**
   * HubSpot refused this record. `reason` is HubSpot's reason, without personal data. `properties` are named in the
   * refusal.
   */
  | {
      readonly kind: 'refused';
      readonly id: string;
      readonly reason: string;
      readonly properties: readonly string[];
      /** Set if the account's settings cause the refusal, not the value. An administrator can change these settings. */
      readonly isLiftable?: true;
    };

export interface CrmReading {
  /** Existing records by requested id. A merged record is also found by its old id. */
  readonly records: ReadonlyMap<string, CrmRecord>;
  /** Reasons why records could not be read, by id. */
  readonly failed: ReadonlyMap<string, string>;
  /** Versions of the properties that were requested with their history. */
  readonly history?: CrmHistory;
}

/** Result of one attempt to write, by record. */
export type CrmAttempt =
  | {
      readonly kind: 'answered';
      readonly results: readonly CrmWriteResult[];
      /** Ids that were not written, because HubSpot refused the whole batch for another record. */
      readonly untouched: readonly string[];
      /** Ids that the answer lacks. Their state is unknown. */
      readonly unconfirmed: readonly string[];
    }
  /** `mayHaveArrived`: HubSpot may have written the values, or may still write them. */
  | { readonly kind: 'failed'; readonly error: HubSpotFailure; readonly mayHaveArrived: boolean };

/** Versions by record and property, newest first. A record or property without versions is absent. */
type CrmHistory = ReadonlyMap<string, Readonly<Record<string, readonly CrmVersion[]>>>;

/** A time window of creations, read page by page. Epoch milliseconds. */
export interface SweepWindow {
  readonly fromMs: number;
  readonly toMs: number;
  readonly afterId?: string | undefined;
}

export interface CreatedRecord {
  readonly id: string;
  /** HubSpot's name of the source: `IMPORT`, `FORM` ... */
  readonly source: string;
}

/** A condition: the property has this value, is a date up to this time, or is blank. */
export type CrmFilter = { readonly property: string } & (
  | { readonly value: string }
  | { readonly upToMs: number }
  | { readonly blank: true }
);

/** HubSpot's limit of a batch update. */
export const WRITES_AT_ONCE = 100;

/** The port to HubSpot. If a whole request fails, methods throw UpstreamError with a code `HUBSPOT_*` or `HTTP_*`. */
export interface Crm {
  /** Reads records. An unreadable record does not affect the others. */
  read(query: {
    objectType: ObjectType;
    ids: readonly string[];
    properties: readonly string[];
    /** Properties whose history is also read. Each request then covers half as many records. */
    historyOf?: readonly string[];
  }): Promise<CrmReading>;
  /** Sends one request for at most 100 ids. @param query.archived checks archived records instead. */
  lookUp(query: { objectType: ObjectType; ids: readonly string[]; archived: boolean }): Promise<IdLookup>;
  /** Returns the account of the access token; `undefined` if the app is not allowed to read it. */
  portalId(): Promise<string | undefined>;
  /**
   * Makes one attempt, because the records must be read again before a retry. Accepts at most `WRITES_AT_ONCE` records.
   */
  write(change: { objectType: ObjectType; writes: readonly CrmWrite[] }): Promise<CrmAttempt>;
  readonly companies: CrmCompanies;
  /** Reports the results of executions to workflows. Safe to repeat. */
  completeActions(actions: readonly CompletedAction[]): Promise<void>;
  /** Returns the same port with a deadline. A request that lasts longer fails as retryable. */
  until(atMs: number): Crm;
  /**
   * Reads the history of all these properties for all these records. Records without properties are skipped. If no
   * record remains, no request is sent.
   */
  history(query: {
    objectType: ObjectType;
    records: readonly { readonly id: string; readonly properties: readonly string[] }[];
  }): Promise<CrmHistory>;
  /**
   * Returns the time until which this work should pause, so that daily requests are left for other apps. Epoch
   * milliseconds; `undefined` if no pause is needed.
   */
  pausedUntil(lane: Lane): Promise<number | undefined>;
  /**
   * Returns the ISO code of the account's currency, cached for some minutes; `undefined` if the app is not allowed to
   * read it.
   */
  currency(): Promise<string | undefined>;
  /** Returns the account's properties, cached for some minutes. */
  definitions(objectType: ObjectType): Promise<PropertyDefinitions>;
  /** Returns at most `limit` ids of records that meet all conditions: the lowest ids above `afterId`, in order. */
  list(query: {
    objectType: ObjectType;
    where: readonly CrmFilter[];
    afterId?: string | undefined;
    limit: number;
  }): Promise<{ readonly ids: readonly string[]; readonly total: number }>;
  /** Returns at most `limit` records that were created in the window: the lowest ids above `afterId`, in order. */
  createdBetween(
    query: SweepWindow & { objectType: ObjectType; limit: number },
  ): Promise<readonly CreatedRecord[]>;
}

export interface FoundCompany {
  readonly id: string;
  /** The domain in HubSpot, not normalised. */
  readonly domain: string;
  readonly additional: readonly string[];
  readonly parentId: string | undefined;
}

/**
 * HubSpot's companies and their contacts. If a whole request fails, methods throw UpstreamError, like the methods of
 * `Crm`.
 */
export interface CrmCompanies {
  /** Finds companies by domains, with or without `www.`. HubSpot's search index is "a few moments" late. */
  withDomains(domains: readonly string[]): Promise<readonly FoundCompany[]>;
  /** Returns the contacts that have a company. */
  ofContacts(contactIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Safe to repeat. @returns HubSpot's code or category of each refusal, by contact. */
  associate(memberships: readonly Association[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Creates a company in one attempt. HubSpot allows several companies with the same domain, so search first before a
   * retry.
   * @returns the company's id.
   */
  create(company: { readonly name: string; readonly domain: string }): Promise<string>;
}

/** Failures of the connection. They prove nothing about HubSpot. A type test compares them with the transport's. */
const CONNECTION_FAILURES = [
  'HTTP_NOT_SENT',
  'HTTP_TIMEOUT',
  'HTTP_CONNECTION_LOST',
  'HTTP_ABORTED',
  'HTTP_RESPONSE_TOO_LARGE',
] as const;

export type HubSpotFailureCode = HubSpotErrorCode | (typeof CONNECTION_FAILURES)[number];

/** @returns `undefined` for any other code. */
export function hubSpotFailureKind(code: string): FailureKind | undefined {
  if (CONNECTION_FAILURES.some((each) => each === code)) return 'unreachable';
  return Object.hasOwn(HUBSPOT_ERRORS, code) ? HUBSPOT_ERRORS[code as HubSpotErrorCode].kind : undefined;
}

/** A failure of HubSpot or of the connection to it, not of our stores. */
export type HubSpotFailure = UpstreamError & { readonly code: HubSpotFailureCode };

export function isHubSpotFailure(error: unknown): error is HubSpotFailure {
  return error instanceof UpstreamError && hubSpotFailureKind(error.code) !== undefined;
}
