import type { UpstreamError } from '#shared/kernel';
import type {
  EnsuredProperties,
  HubSpotProperty,
  PropertyGroupSpec,
  PropertySpec,
} from './property-types.ts';
import type { SearchFilterGroup } from './search-filter.ts';

/** The two kinds of record that this adapter reads and writes, in the plural words of HubSpot's paths. */
export type HubSpotObjectType = 'contacts' | 'companies';

/** One record as HubSpot returned it. */
export interface HubSpotObject {
  /** Decimal digits. May differ from the id asked for: a merged record answers under its winner's id. */
  readonly id: string;
  /** Values are strings; `null` where the property exists and is empty; absent where HubSpot knows no such property. */
  readonly properties: Readonly<Record<string, string | null>>;
  /** Epoch milliseconds. */
  readonly createdAtMs: number;
  /** Epoch milliseconds: each write of a property moves it. */
  readonly updatedAtMs: number;
  readonly archived: boolean;
  /** Ids of the records that were merged into this one (`hs_merged_object_ids`). */
  readonly mergedIds: readonly string[];
  /** Present only for the properties asked for with history; newest first. */
  readonly history?: Readonly<Record<string, readonly PropertyVersion[]>>;
}

/** One entry of a property's history. `sourceType` is an open list: never assume that it is complete. */
export interface PropertyVersion {
  readonly value: string;
  /** Epoch milliseconds. */
  readonly timestampMs: number;
  readonly sourceType: string;
  readonly sourceId?: string;
}

/** One record of a batch that HubSpot refused, the others being unaffected. */
export interface BatchFailure {
  readonly id: string;
  /** Codes and property names, such as `INVALID_OPTION (industry)`: never a value. */
  readonly reason: string;
  /** The properties that it names. */
  readonly properties: readonly string[];
  /** HubSpot's category, such as `VALIDATION_ERROR` or `OBJECT_NOT_FOUND`, or the code of an outside failure. */
  readonly category: string;
  /** Whether the same input may succeed later. */
  readonly retryable: boolean;
  /** The account's fault, not the value's: an administrator can lift it. */
  readonly isLiftable?: true;
  /** HubSpot's id of the answer, for its support. */
  readonly correlationId?: string;
}

/** When a request is given up. */
export interface Limits {
  readonly signal?: AbortSignal | undefined;
  /** Attempts end by then, epoch milliseconds. */
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
  /** Each record once, also when several of the ids asked for were merged into it. */
  readonly found: readonly HubSpotObject[];
  /** By the id asked for, merges followed. */
  readonly byAskedId: ReadonlyMap<string, HubSpotObject>;
  /** Ids asked for that no record answers to (any more). */
  readonly missing: readonly string[];
  /** Ids for which HubSpot gave another error than "not found". */
  readonly failed: readonly BatchFailure[];
}

export interface LookUpIdsRequest extends Limits {
  readonly objectType: HubSpotObjectType;
  /** At most 100, each once. */
  readonly ids: readonly string[];
  /** Looks among archived records instead. */
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
   * By the id asked for, merges followed: the entries of each property, newest first. Surely ours are only those of
   * `INTEGRATION` with the own app's id.
   */
  readonly byAskedId: ReadonlyMap<string, Readonly<Record<string, readonly PropertyVersion[]>>>;
  readonly missing: readonly string[];
  readonly failed: readonly BatchFailure[];
}

export interface RecordUpdate {
  readonly id: string;
  /** Only what is to change. `''` clears a property. */
  readonly properties: Readonly<Record<string, string>>;
}

export interface UpdateBatchRequest extends Limits {
  readonly objectType: HubSpotObjectType;
  /** Each id at most once (a repetition is a bug), at most 100. */
  readonly updates: readonly RecordUpdate[];
}

/** What one attempt to write came to. */
export type UpdateAttempt =
  | {
      readonly kind: 'answered';
      /** As HubSpot returned them after the write: its normalised values. */
      readonly updated: readonly HubSpotObject[];
      /** Refused, or not reached, for a reason of their own. */
      readonly failed: readonly BatchFailure[];
      /** Not written, because the batch was refused for the sake of another: in a smaller one they have a chance. */
      readonly untouched: readonly string[];
      /** Not named in an answer that was no refusal: unknown. */
      readonly untold: readonly string[];
    }
  /** `mayHaveArrived`: HubSpot may have written it all the same, or may still do so. */
  | { readonly kind: 'failed'; readonly error: UpstreamError; readonly mayHaveArrived: boolean };

/** How one execution of a workflow's action ended. */
export interface ActionCallback {
  readonly callbackId: string;
  /** By the name of the action's output field; HubSpot continues as `hs_execution_state` says. */
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
  /** From the page before. HubSpot refuses to go beyond 10,000 results: use `searchAll` for more. */
  readonly after?: string;
}

export interface SearchPage {
  readonly results: readonly HubSpotObject[];
  /** Number of matches, also beyond this page. */
  readonly total: number;
  readonly after?: string;
}

export interface SearchAllRequest extends Limits {
  readonly objectType: HubSpotObjectType;
  /** At most five filters a group: the sixth is needed for paging. */
  readonly filterGroups: readonly SearchFilterGroup[];
  readonly properties: readonly string[];
  /** Resume behind this record id. */
  readonly afterId?: string;
}

export interface AccountDetails {
  /** ISO code of the account's own currency: amounts without one are in it. */
  readonly companyCurrency?: string | undefined;
  readonly portalId: string;
  /** IANA name; the daily limit is reset at its midnight. */
  readonly timeZone: string;
}

/** The daily requests, shared by all private apps of the account, as HubSpot last told them. */
export interface DailyLimit {
  readonly limit: number;
  readonly remaining: number;
  /** When the answer came, epoch milliseconds. */
  readonly atMs: number;
}

/** Bulk work can wait for tomorrow; live work has a person waiting. */
export type Urgency = 'live' | 'bulk';

/** Shares of the daily limit, 0 to 1, that are left to the customer's other apps. */
export type DailyReserve = Readonly<Record<Urgency, number>>;

/** Every method throws `UpstreamError` with a `HUBSPOT_*` code (or the transport's `HTTP_*`) when HubSpot as a whole fails. */
export interface HubSpotClient {
  readBatch(request: ReadBatchRequest): Promise<ReadBatchResult>;
  /** Whether HubSpot has these records, in one request. */
  lookUpIds(request: LookUpIdsRequest): Promise<IdLookup>;
  /** Who wrote what, newest first. */
  readHistory(request: ReadHistoryRequest): Promise<ReadHistoryResult>;
  /** One attempt; the only method that does not throw `UpstreamError`. */
  updateBatch(request: UpdateBatchRequest): Promise<UpdateAttempt>;
  /** One attempt; where its answer is lost, the record may be there all the same. */
  createRecord(request: CreateRequest): Promise<HubSpotObject>;
  search(request: SearchRequest): Promise<SearchPage>;
  /** All matches in the order of their ids, past the 10,000 that one query may reach. */
  searchAll(request: SearchAllRequest): AsyncIterable<HubSpotObject>;
  /** Of the contacts those that have a company, primary or not. */
  contactsWithCompany(request: AssociatedRequest): Promise<ReadonlySet<string>>;
  /** By default, without a label; safe to repeat. @returns what was refused, and the code or category of why. */
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
  /** Group and properties, idempotent: reads, compares, creates the missing, merges options, never deletes. */
  ensureProperties(request: {
    readonly objectType: HubSpotObjectType;
    readonly group: PropertyGroupSpec;
    readonly properties: readonly PropertySpec[];
    /** Tells what would be done, and writes nothing. */
    readonly dryRun?: boolean | undefined;
  }): Promise<EnsuredProperties>;
  accountDetails(): Promise<AccountDetails>;
  /** Undefined until an answer carried the headers (search answers and OAuth apps never do). */
  dailyLimit(): DailyLimit | undefined;
  /**
   * Until when this work should leave the account's requests to others, epoch milliseconds: the midnight of the
   * account at which the daily limit is reset. Undefined: go on. Asks HubSpot for the time zone once, at most.
   */
  pausedUntil(urgency: Urgency): Promise<number | undefined>;
}
