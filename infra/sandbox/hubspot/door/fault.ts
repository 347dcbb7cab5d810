/** Something that goes wrong on purpose. Every condition given must hold. */
export interface Fault {
  /** Part of the path, `batch/update` for example. */
  readonly path?: string;
  readonly method?: string;
  /**
   * Only requests that name this record. A `status` then fails that record alone where a batch answers per input,
   * and otherwise the request.
   */
  readonly recordId?: string;
  readonly kind: 'status' | 'reset-before' | 'reset-after' | 'hang' | 'slow';
  /** For `status`; 500 unless told. */
  readonly status?: number;
  /** For a 429; TEN_SECONDLY_ROLLING unless told. */
  readonly policyName?: string;
  /** For `status`: neither a body nor a content type, as a proxy on the way would answer. */
  readonly bare?: boolean;
  /** For `status`: seconds, as a Retry-After header. */
  readonly retryAfterS?: number;
  /** For `slow`: milliseconds before the work is done; 10,000 unless told. */
  readonly delayMs?: number;
  /** Share of the requests that it strikes, 0 to 1. */
  readonly rate: number;
  /** After so many strikes it is over. */
  readonly times?: number;
}
