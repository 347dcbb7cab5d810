/** The client's types, without network access, so that pure code can import them. */
import type { UnusableField } from './clean-record.ts';
import type { OperationName, OperationParameters, SearchOperation } from './operations.ts';
import type { CompanyInfo, OperationData, Pagination } from './schemas.ts';

/** The rate headers of an answer or of an error. */
export interface ServiceRate {
  /** Allowed requests a minute. */
  readonly limit: number;
  /** Requests left in the current window. */
  readonly remaining: number;
  /** Reset of the window by the server's clock, epoch milliseconds. */
  readonly resetAtMs: number;
  /** The server's time, if the answer contains one. Epoch milliseconds, precise to a second. */
  readonly serverDateMs?: number;
  /** Set if the reset was given as a duration, not as a time. */
  readonly isDelta?: true;
}

export interface ServiceAnswer<Data = OperationData[OperationName]> {
  readonly data: Data;
  readonly statusCode: number;
  readonly message: string;
  /** Number of charged results: for a search all items, including unreadable ones; otherwise 1. */
  readonly results: number;
  /** Employee search only. */
  readonly companyInfo?: CompanyInfo;
  /** Employee search only. */
  readonly pagination?: Pagination;
  /** `undefined` if the headers are missing or unreadable. */
  readonly rate: ServiceRate | undefined;
  readonly requestId?: string;
  /**
   * Fields of this answer that had an unexpected type and were dropped, without repetitions. Examples:
   * `organizations.founded_year`, `previous_companies[].duration_months`, `pagination.has_more`.
   */
  readonly drift: readonly string[];
  /** Fields of this answer whose value is no value. Absent if there are none. */
  readonly unusable?: readonly UnusableField[];
}

/** Key of a stored record under which its fields without a usable value are listed, each with the reason. */
export const UNUSABLE = 'unusable';

export interface CallOptions {
  /** Cancels the call. If the call was already sent, it may be charged; the error is `DATA_SERVICE_ABORTED`. */
  readonly signal?: AbortSignal;
  /** Replaces the client's timeout. */
  readonly timeoutMs?: number;
}

export interface PagingOptions extends CallOptions {
  /** Limit for the charged results of all pages. A whole number, at least 1. */
  readonly maxResults: number;
}

type Answered<Name extends OperationName> = Promise<ServiceAnswer<OperationData[Name]>>;

/** One method for each operation that costs credits. */
type PaidMethods = {
  readonly [Name in Exclude<OperationName, 'checkKey'>]: (
    params: OperationParameters[Name],
    options?: CallOptions,
  ) => Answered<Name>;
};

/** The parameters of a search, without the parameters of the page, which the client sets. */
type Unpaged<Name extends SearchOperation> = OperationParameters[Name] & {
  readonly [name in 'page' | 'per_page' | 'limit' | 'offset']?: never;
};
export type SearchPages<Name extends SearchOperation> = (
  params: Unpaged<Name>,
  paging: PagingOptions,
) => AsyncIterable<ServiceAnswer<OperationData[Name]>>;
type Records<Name extends SearchOperation> = (
  params: Unpaged<Name>,
  paging: PagingOptions,
) => AsyncIterable<OperationData[Name][number]>;

/** Every method throws only `DataServiceError`. Every paid call is sent at most once. */
export interface DataServiceClient extends PaidMethods {
  /** Sends a request. All other methods use this one. */
  call<Name extends OperationName>(
    operation: Name,
    params: OperationParameters[Name],
    options?: CallOptions,
  ): Answered<Name>;
  /** Free. */
  checkKey(options?: CallOptions): Answered<'checkKey'>;

  readonly peoplePages: SearchPages<'searchPeople'>;
  readonly companyPages: SearchPages<'searchCompanies'>;
  readonly employeePages: SearchPages<'searchEmployees'>;

  readonly people: Records<'searchPeople'>;
  readonly companies: Records<'searchCompanies'>;
  readonly employees: Records<'searchEmployees'>;

  /**
   * Number of answers with a field of an unexpected type, by `operation field`, and with a value that is no value, by
   * `operation field reason`.
   */
  driftCounts(): ReadonlyMap<string, number>;
}
