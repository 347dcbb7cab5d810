/** A deliberate failure. All given conditions must match. */
export interface Fault {
  /** Part of the path, `batch/update` for example. */
  readonly path?: string;
  readonly method?: string;
  /**
   * Record that the request must name. A `status` fault fails only that record if a batch has a result for each
   * input; otherwise it fails the request.
   */
  readonly recordId?: string;
  readonly kind: 'status' | 'reset-before' | 'reset-after' | 'hang' | 'slow';
  /** For `status`; 500 by default. */
  readonly status?: number;
  /** For a 429; TEN_SECONDLY_ROLLING by default. */
  readonly policyName?: string;
  /** For `status`: sends neither body nor content type, like a proxy. */
  readonly bare?: boolean;
  /** For `status`: seconds, as a Retry-After header. */
  readonly retryAfterS?: number;
  /** For `slow`: milliseconds before the work; 10,000 by default. */
  readonly delayMs?: number;
  /** Share of the matching requests, 0 to 1. */
  readonly rate: number;
  /** Most occurrences. */
  readonly times?: number;
}
