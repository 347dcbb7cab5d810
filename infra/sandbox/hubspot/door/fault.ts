/** A deliberate failure. All given conditions must match. */
export interface Fault {
  /** Part of the path, `batch/update` for example. */
  readonly path?: string;
  readonly method?: string;
  /**
   * Record that the request must name. If a batch has a result for each input, a `status` fault fails only this
   * record. Otherwise it fails the request.
   */
  readonly recordId?: string;
  readonly kind: 'status' | 'reset-before' | 'reset-after' | 'hang' | 'slow';
  /** Status for `status`. 500 by default. */
  readonly status?: number;
  /** Name of the limit for a 429. TEN_SECONDLY_ROLLING by default. */
  readonly policyName?: string;
  /** For `status`: whether the answer has neither body nor content type, like a proxy's. */
  readonly bare?: boolean;
  /** For `status`: seconds, as a Retry-After header. */
  readonly retryAfterS?: number;
  /** For `slow`: delay before the work, in milliseconds. 10,000 by default. */
  readonly delayMs?: number;
  /** Share of the matching requests, 0 to 1. */
  readonly rate: number;
  /** Maximum number of occurrences. */
  readonly times?: number;
}
