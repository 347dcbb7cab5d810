import type { UpstreamError } from '#shared/kernel';

/** The object types of this adapter, as in HubSpot's paths, each with its other names in events. */
export const OBJECT_TYPE_NAMES = { contacts: ['contact', '0-1'], companies: ['company', '0-2'] } as const;

export type HubSpotObjectType = keyof typeof OBJECT_TYPE_NAMES;

/** One HubSpot record. */
export interface HubSpotObject {
  /** Decimal digits. May differ from the requested id: a merged record has the id of the remaining record. */
  readonly id: string;
  /** Values are strings. An empty property is `null`. A property that does not exist is absent. */
  readonly properties: Readonly<Record<string, string | null>>;
  /** Epoch milliseconds. */
  readonly createdAtMs: number;
  /** Epoch milliseconds. Each write of a property changes it. */
  readonly updatedAtMs: number;
  /** Ids of the records that were merged into this one (`hs_merged_object_ids`). */
  readonly mergedIds: readonly string[];
  /** Only for properties that were requested with history. Newest first. */
  readonly history?: Readonly<Record<string, readonly PropertyVersion[]>>;
}

/** One entry of a property's history. HubSpot can add further values of `sourceType`. */
export interface PropertyVersion {
  readonly value: string;
  /** Epoch milliseconds. */
  readonly timestampMs: number;
  readonly sourceType: string;
  readonly sourceId?: string | undefined;
}

/** One record of a batch that HubSpot refused. Other records of the batch are not affected. */
export interface BatchFailure {
  readonly id: string;
  /** Codes and property names, such as `INVALID_OPTION (industry)`; never a value. */
  readonly reason: string;
  /** Properties that the error names. */
  readonly properties: readonly string[];
  /** HubSpot's category, such as `VALIDATION_ERROR` or `OBJECT_NOT_FOUND`. If HubSpot gave none, our own code. */
  readonly category: string;
  /** Whether the same input may succeed later. */
  readonly retryable: boolean;
  /** Set if the account's settings cause the refusal, not the value. An administrator can change these settings. */
  readonly isLiftable?: true;
}

/** Limits of a request. */
export interface Limits {
  /** Deadline of all attempts, epoch milliseconds. */
  readonly untilMs?: number | undefined;
}

export interface ReadBatchRequest extends Limits {
  readonly objectType: HubSpotObjectType;
  /** Any number, repetitions allowed. */
  readonly ids: readonly string[];
  readonly properties: readonly string[];
  /** With history, a request has at most 50 records instead of 100. */
  readonly propertiesWithHistory?: readonly string[];
}

export interface ReadBatchResult {
  /** Records by requested id. For a merged id, the remaining record. */
  readonly byAskedId: ReadonlyMap<string, HubSpotObject>;
  /** Requested ids without a record. */
  readonly missing: readonly string[];
  /** Requested ids with an error other than "not found". */
  readonly failed: readonly BatchFailure[];
}

export interface LookUpIdsRequest extends Limits {
  readonly objectType: HubSpotObjectType;
  /** At most 100, each once. */
  readonly ids: readonly string[];
  /** Checks archived records instead. */
  readonly archived: boolean;
}

/** Result of a lookup by ids. If an id is in neither set, HubSpot gave no clear answer. */
export interface IdLookup {
  /** Ids of existing records, including ids that were merged into one. */
  readonly found: ReadonlySet<string>;
  /** Ids that HubSpot itself named as not found. */
  readonly notFound: ReadonlySet<string>;
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
      /**
       * Records that were not written, because HubSpot refused the whole batch for another record. A smaller batch may
       * succeed.
       */
      readonly untouched: readonly string[];
      /** Records that the answer lacks, although HubSpot accepted the batch. Their state is unknown. */
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

export interface SearchAllRequest extends Limits {
  readonly objectType: HubSpotObjectType;
  /** At most five, because paging needs the sixth. All of them must be met. */
  readonly filters: readonly SearchFilter[];
  readonly properties: readonly string[];
}

export interface SearchRequest extends SearchAllRequest {
  /** Continues after this record id. */
  readonly afterId?: string | undefined;
  /** 1 to 200. */
  readonly limit: number;
}

export interface SearchPage {
  readonly results: readonly HubSpotObject[];
  /** Number of all matches. */
  readonly total: number;
  readonly hasMore: boolean;
}

export interface AccountDetails {
  /** ISO code of the account's currency, for amounts without a currency. */
  readonly companyCurrency?: string | undefined;
  readonly portalId: string;
  /** IANA name. HubSpot resets the daily limit at midnight in this time zone. */
  readonly timeZone: string;
}

/** The account's daily requests, as HubSpot last reported them. All private apps share this limit. */
export interface DailyLimit {
  readonly limit: number;
  readonly remaining: number;
  /** When the answer arrived, epoch milliseconds. */
  readonly atMs: number;
}

/** `bulk` work can wait until tomorrow. A person may be waiting for `live` work. */
export type Urgency = 'live' | 'bulk';

/** Shares of the daily limit that stay for the customer's other apps, 0 to 1. */
export type DailyReserve = Readonly<Record<Urgency, number>>;

/** Every method throws `UpstreamError` with a `HUBSPOT_*` or `HTTP_*` code if a whole request fails. */
export interface HubSpotClient {
  readBatch(request: ReadBatchRequest): Promise<ReadBatchResult>;
  /** Checks in one request whether HubSpot has these records. */
  lookUpIds(request: LookUpIdsRequest): Promise<IdLookup>;
  /** Makes one attempt. The only method that does not throw `UpstreamError`. */
  updateBatch(request: UpdateBatchRequest): Promise<UpdateAttempt>;
  /** Makes one attempt. If the answer is lost, HubSpot may have created the record. */
  createRecord(request: CreateRequest): Promise<HubSpotObject>;
  /** Reads a page of matches in the order of their ids. */
  search(request: SearchRequest): Promise<SearchPage>;
  /** Reads all matches in the order of their ids. There can be more than 10,000, the limit of one query. */
  searchAll(request: SearchAllRequest): AsyncIterable<HubSpotObject>;
  /** Returns the contacts that have a company, primary or not. */
  contactsWithCompany(request: AssociatedRequest): Promise<ReadonlySet<string>>;
  /**
   * Creates default associations. Safe to repeat.
   * @returns the refused associations, with the code or category of the refusal.
   */
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
  /** Creates missing properties and options, and the group. Safe to repeat. Never deletes anything. */
  ensureProperties(request: EnsureRequest): Promise<EnsuredProperties>;
  accountDetails(): Promise<AccountDetails>;
  /**
   * Returns the last known limit; `undefined` until an answer has the headers. Search answers and answers to OAuth apps
   * never have them.
   */
  dailyLimit(): DailyLimit | undefined;
  /**
   * Returns the time until which this work should pause, so that requests are left for other apps. The time is the
   * account's next midnight, epoch milliseconds; `undefined` if no pause is needed. Reads the account's time zone at
   * most a single time.
   */
  pausedUntil(urgency: Urgency): Promise<number | undefined>;
}

export interface PropertyOption {
  readonly label: string;
  /** The internal value, which is written to records. Upper and lower case matter. */
  readonly value: string;
  readonly description?: string | undefined;
  readonly displayOrder?: number | undefined;
  readonly hidden?: boolean;
}

/** A property as the portal defines it. */
export interface HubSpotProperty {
  readonly name: string;
  readonly label: string;
  /** bool, date, datetime, enumeration, number, phone_number, string; HubSpot may add others. */
  readonly type: string;
  /** booleancheckbox, checkbox, date, number, select, text, textarea; HubSpot may add others. */
  readonly fieldType: string;
  readonly description?: string | undefined;
  readonly options: readonly PropertyOption[];
  /** Calculated, or marked as read-only by HubSpot. */
  readonly readOnly: boolean;
  readonly archived: boolean;
}

/** A property to create. */
export interface PropertySpec {
  readonly name: string;
  readonly label: string;
  readonly type: 'string' | 'number' | 'date' | 'datetime' | 'enumeration' | 'bool';
  readonly fieldType: 'text' | 'number' | 'date' | 'select' | 'booleancheckbox';
  readonly description?: string;
  /** Required for enumerations. A `bool` gets true and false. */
  readonly options?: readonly PropertyOption[];
}

export interface EnsureRequest {
  readonly objectType: HubSpotObjectType;
  readonly group: { readonly name: string; readonly label: string };
  readonly properties: readonly PropertySpec[];
  /** Reports the changes and writes nothing. */
  readonly dryRun?: boolean | undefined;
}

/** Result of the set-up of properties. It never deletes anything. */
export interface EnsuredProperties {
  readonly groupCreated: boolean;
  readonly created: readonly string[];
  /** Archived properties of the wanted type that were restored. */
  readonly revived: readonly string[];
  /** Existing properties to which missing options were added, at the end of the list of options. */
  readonly optionsAdded: readonly string[];
  readonly unchanged: readonly string[];
  /** Unchanged properties that cannot have the wanted form: they have another type, or HubSpot refused them. */
  readonly conflicts: readonly PropertyConflict[];
}

export interface PropertyConflict {
  readonly name: string;
  readonly code: 'other-type' | 'read-only' | 'refused' | 'not-listed';
  readonly params?: Readonly<Record<string, string>>;
  readonly reason: string;
}

export interface SearchFilter {
  readonly propertyName: string;
  readonly operator: 'EQ' | 'LTE' | 'BETWEEN' | 'IN' | 'HAS_PROPERTY' | 'NOT_HAS_PROPERTY';
  /** A date-time is given as epoch milliseconds in digits. */
  readonly value?: string;
  readonly highValue?: string;
  /** For `IN`. Values of string properties must be in lower case. */
  readonly values?: readonly string[];
}
