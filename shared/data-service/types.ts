/** The client as its callers see it. It reaches no network, so that pure code can name these types too. */
import type { OperationName, OperationParameters, SearchOperation } from './operations.ts';
import type { CompanyInfo, OperationData, Pagination } from './schemas.ts';

/** The rate headers of an answer or of an error. */
export interface ServiceRate {
  /** Requests allowed a minute. */
  readonly limit: number;
  /** Requests left in the current window. */
  readonly remaining: number;
  /** When the window resets, on the server's clock. Epoch milliseconds. */
  readonly resetAtMs: number;
  /** The server's clock when it answered, if it said so. Epoch milliseconds, precise to a second. */
  readonly serverDateMs?: number;
  /** The reset came as a distance, not as a time. */
  readonly isDelta?: true;
}

export interface ServiceAnswer<Data = OperationData[OperationName]> {
  readonly data: Data;
  readonly statusCode: number;
  readonly message: string;
  /** How many results were delivered, and so paid for: the items of a search, unreadable ones included; else 1. */
  readonly results: number;
  /** Employee search only. */
  readonly companyInfo?: CompanyInfo;
  /** Employee search only. */
  readonly pagination?: Pagination;
  /** Undefined when the headers were missing or unreadable. */
  readonly rate: ServiceRate | undefined;
  readonly requestId?: string;
  /**
   * Fields of this answer that had an unexpected type and were dropped, each once:
   * `organizations.founded_year`, `previous_companies[].duration_months`, `pagination.has_more`.
   */
  readonly drift: readonly string[];
}

export interface CallOptions {
  /** Cancels the call. A call that was sent by then may be charged: `DATA_SERVICE_ABORTED`. */
  readonly signal?: AbortSignal;
  /** In place of the client's own timeout. */
  readonly timeoutMs?: number;
}

export interface PagingOptions extends CallOptions {
  /** How many results may be paid for in all pages together. A whole number, at least 1. */
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

/** The parameters of a search without its page, which the client turns. */
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

/** Every method throws only `DataServiceError`; every paid call is sent once at most. */
export interface DataServiceClient extends PaidMethods {
  /** The one request path; the other methods are shorthands. */
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

  /** How often each field came with an unexpected type so far, by `operation field`. */
  driftCounts(): ReadonlyMap<string, number>;
}
