/** The client's types, without network access, so that pure code can import them. */
import type { OperationName } from './operations.ts';
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
}

export interface CallOptions {
  /** Cancels the call. If the call was already sent, it may be charged; the error is `DATA_SERVICE_ABORTED`. */
  readonly signal?: AbortSignal;
  /** Replaces the client's timeout. */
  readonly timeoutMs?: number;
}

/** Throws only `DataServiceError`. Every paid call is sent at most once. */
export interface DataServiceClient {
  /** Sends a request. @param params by the vendor's names */
  call<Name extends OperationName>(
    operation: Name,
    params: Readonly<Record<string, unknown>>,
    options?: CallOptions,
  ): Promise<ServiceAnswer<OperationData[Name]>>;
}
