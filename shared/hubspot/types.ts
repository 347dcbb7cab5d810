import type { UpstreamError } from '#shared/kernel';
import type {
  EnsuredProperties,
  HubSpotProperty,
  PropertyGroupSpec,
  PropertySpec,
} from './property-types.ts';
import type { SearchFilterGroup } from './search-filter.ts';

/** The two object types of this adapter, as in HubSpot's paths. */
export type HubSpotObjectType = 'contacts' | 'companies';

/** One HubSpot record. */
export interface HubSpotObject {
  /** Decimal digits. May differ from the requested id: a merged record has the id of the remaining record. */
  readonly id: string;
  /** Strings; `null` for an empty property; absent for a property that does not exist. */
  readonly properties: Readonly<Record<string, string | null>>;
  /** Epoch milliseconds. */
  readonly createdAtMs: number;
  /** Epoch milliseconds. Each write of a property changes it. */
  readonly updatedAtMs: number;
  readonly archived: boolean;
  /** Ids of the records that were merged into this one (`hs_merged_object_ids`). */
  readonly mergedIds: readonly string[];
  /** Only for properties requested with history; newest first. */
  readonly history?: Readonly<Record<string, readonly PropertyVersion[]>>;
}

/** One entry of a property's history. HubSpot may add further values of `sourceType`. */
export interface PropertyVersion {
  readonly value: string;
  /** Epoch milliseconds. */
  readonly timestampMs: number;
  readonly sourceType: string;
  readonly sourceId?: string;
}

/** One record of a batch that HubSpot refused. The others are not affected. */
export interface BatchFailure {
  readonly id: string;
  /** Codes and property names, such as `INVALID_OPTION (industry)`; never a value. */
  readonly reason: string;
  /** Properties in the error. */
  readonly properties: readonly string[];
  /** HubSpot's category, such as `VALIDATION_ERROR` or `OBJECT_NOT_FOUND`, or the code of an outside failure. */
  readonly category: string;
  /** Whether the same input may succeed later. */
  readonly retryable: boolean;
  /** The account's settings cause the refusal, not the value; an administrator can change them. */
  readonly isLiftable?: true;
  /** HubSpot's id of the answer, for its support. */
  readonly correlationId?: string;
}

/** Limits of a request. */
export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** Deadline of all attempts, epoch milliseconds. */
  readonly untilMs?: number | undefined;
}

export interface ReadBatchRequest extends Limits {
  readonly objectType: HubSpotObjectType;
  /** Any number, repetitions allowed. */
  readonly ids: readonly string[];
  readonly properties: readonly string[];
  /** Halves the size of the requests (50 records each). */
  readonly propertiesWithHistory?: readonly string[];
}

export interface ReadBatchResult {
  /** Each record once, even if several requested ids were merged into it. */
  readonly found: readonly HubSpotObject[];
  /** Records by requested id, after merges. */
  readonly byAskedId: ReadonlyMap<string, HubSpotObject>;
  /** Requested ids without a record. */
  readonly missing: readonly string[];
  /** Requested ids with another error than "not found". */
  readonly failed: readonly BatchFailure[];
}

export interface LookUpIdsRequest extends Limits {
  readonly objectType: HubSpotObjectType;
  /** At most 100, each once. */
  readonly ids: readonly string[];
  /** Checks archived records instead. */
  readonly archived: boolean;
}

/** For an id in neither set, HubSpot gave no clear answer. */
export interface IdLookup {
  /** Ids of existing records, after merges. */
  readonly found: ReadonlySet<string>;
  /** Ids that HubSpot itself named as not found. */
  readonly notFound: ReadonlySet<string>;
}

export interface ReadHistoryRequest extends Limits {
  readonly objectType: HubSpotObjectType;
  /** Any number, repetitions allowed. */
  readonly ids: readonly string[];
  readonly properties: readonly string[];
}

export interface ReadHistoryResult {
  /**
   * Entries of each property by requested id, after merges; newest first. Only entries of `INTEGRATION` with our app's id
   * are certainly ours.
   */
  readonly byAskedId: ReadonlyMap<string, Readonly<Record<string, readonly PropertyVersion[]>>>;
  readonly missing: readonly string[];
  readonly failed: readonly BatchFailure[];
}

export interface RecordUpdate {
  readonly id: string;
  /** Only changed properties. `''` clears a property. */
  readonly properties: Readonly<Record<string, string>>;
}

export interface UpdateBatchRequest extends Limits {
  readonly objectType: HubSpotObjectType;
  /** At most 100; each id at most once (a repetition is a bug). */
  readonly updates: readonly RecordUpdate[];
}

/** Result of one attempt to write. */
export type UpdateAttempt =
  | {
      readonly kind: 'answered';
      /** Records after the write, with values as HubSpot normalised them. */
      readonly updated: readonly HubSpotObject[];
      /** Records that HubSpot refused. */
      readonly failed: readonly BatchFailure[];
      /** Not written, because the batch was refused because of another record. A smaller batch may succeed. */
      readonly untouched: readonly string[];
      /** Missing in an answer that was no refusal, so their state is unknown. */
      readonly unconfirmed: readonly string[];
    }
  /** `mayHaveArrived`: HubSpot may have written the values, or may still write them. */
  | { readonly kind: 'failed'; readonly error: UpstreamError; readonly mayHaveArrived: boolean };

/** Result of one execution in a workflow action. */
export interface ActionCallback {
  readonly callbackId: string;
  /** Values by output field of the action. `hs_execution_state` decides how HubSpot continues. */
  readonly outputs: Readonly<Record<string, string>>;
}

export interface CreateRequest extends Limits {
  readonly objectType: HubSpotObjectType;
  readonly properties: Readonly<Record<string, string>>;
}

export interface Association {
  readonly contactId: string;
  readonly companyId: string;
}

export interface AssociatedRequest extends Limits {
  /** Any number, repetitions allowed. */
  readonly contactIds: readonly string[];
}

export interface AssociateRequest extends Limits {
  readonly associations: readonly Association[];
}

export interface SearchRequest extends Limits {
  readonly objectType: HubSpotObjectType;
  readonly filterGroups: readonly SearchFilterGroup[];
  readonly properties: readonly string[];
  readonly sort?: { readonly propertyName: string; readonly direction: 'ASCENDING' | 'DESCENDING' };
  /** 1 to 200. */
  readonly limit: number;
  /** Cursor from the previous page. HubSpot returns at most 10,000 results; `searchAll` returns more. */
  readonly after?: string;
}

export interface SearchPage {
  readonly results: readonly HubSpotObject[];
  /** Number of all matches. */
  readonly total: number;
  readonly after?: string;
}

export interface SearchAllRequest extends Limits {
  readonly objectType: HubSpotObjectType;
  /** At most five filters in a group, because paging needs the sixth. */
  readonly filterGroups: readonly SearchFilterGroup[];
  readonly properties: readonly string[];
  /** Continues after this record id. */
  readonly afterId?: string;
}

export interface AccountDetails {
  /** ISO code of the account's currency, for amounts without one. */
  readonly companyCurrency?: string | undefined;
  readonly portalId: string;
  /** IANA name. HubSpot resets the daily limit at its midnight. */
  readonly timeZone: string;
}

/** The account's daily requests, which all its private apps share, by HubSpot's last report. */
export interface DailyLimit {
  readonly limit: number;
  readonly remaining: number;
  /** When the answer arrived, epoch milliseconds. */
  readonly atMs: number;
}

/** Bulk work can wait until tomorrow. For live work a person may be waiting. */
export type Urgency = 'live' | 'bulk';

/** Shares of the daily limit for the customer's other apps, 0 to 1. */
export type DailyReserve = Readonly<Record<Urgency, number>>;

/** Every method throws `UpstreamError` with a `HUBSPOT_*` or `HTTP_*` code if a whole request fails. */
export interface HubSpotClient {
  readBatch(request: ReadBatchRequest): Promise<ReadBatchResult>;
  /** Checks in one request whether HubSpot has these records. */
  lookUpIds(request: LookUpIdsRequest): Promise<IdLookup>;
  /** Reads the history of properties with the source of each change, newest first. */
  readHistory(request: ReadHistoryRequest): Promise<ReadHistoryResult>;
  /** Makes one attempt. The only method that does not throw `UpstreamError`. */
  updateBatch(request: UpdateBatchRequest): Promise<UpdateAttempt>;
  /** Makes one attempt. If its answer is lost, the record may exist. */
  createRecord(request: CreateRequest): Promise<HubSpotObject>;
  search(request: SearchRequest): Promise<SearchPage>;
  /** Reads all matches in the order of their ids, also more than 10,000, which is the limit of one query. */
  searchAll(request: SearchAllRequest): AsyncIterable<HubSpotObject>;
  /** Returns the contacts that have a company, primary or not. */
  contactsWithCompany(request: AssociatedRequest): Promise<ReadonlySet<string>>;
  /** Creates default associations. Safe to repeat. @returns the refused ones, with the code or category of the refusal. */
  associateContacts(request: AssociateRequest): Promise<ReadonlyMap<Association, string>>;
  /** Safe to repeat. */
  completeCallbacks(callbacks: readonly ActionCallback[]): Promise<void>;
  listProperties(
    objectType: HubSpotObjectType,
    options?: { readonly archived?: boolean },
  ): Promise<readonly HubSpotProperty[]>;
  describeProperty(
    objectType: HubSpotObjectType,
    change: { readonly name: string; readonly description: string },
  ): Promise<void>;
  /** Creates missing properties and options, and the group. Safe to repeat. It never deletes. */
  ensureProperties(request: {
    readonly objectType: HubSpotObjectType;
    readonly group: PropertyGroupSpec;
    readonly properties: readonly PropertySpec[];
    /** Reports the changes and writes nothing. */
    readonly dryRun?: boolean | undefined;
  }): Promise<EnsuredProperties>;
  accountDetails(): Promise<AccountDetails>;
  /** `undefined` until an answer has the headers. Search answers and OAuth apps never have them. */
  dailyLimit(): DailyLimit | undefined;
  /**
   * The time until which this work should pause, so that requests are left for other apps. Epoch milliseconds, the account's
   * next midnight; `undefined` if there is no need. Reads the account's time zone at most once.
   */
  pausedUntil(urgency: Urgency): Promise<number | undefined>;
}
