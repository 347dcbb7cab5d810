export interface UpstreamErrorDetails {
  /** Stable, upper snake case, tells failures apart: `HTTP_TIMEOUT`, `DATA_SERVICE_UNAUTHORIZED`, ... */
  readonly code: string;
  /** One sentence for a person, without personal data, tokens or bodies. */
  readonly message: string;
  /** Whether the same request may be sent again without harm and with a chance. */
  readonly retryable: boolean;
  /** The server's own wish, if it gave one. Milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** HTTP status, where there was one. */
  readonly status?: number | undefined;
  /** The server's id of the request (correlation id), for its support. */
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/**
 * A failure of the outside: network, vendor, store. Thrown once, at the edge, told apart by `code`.
 * Outcomes of the domain are returned values; bugs are assertions.
 */
export class UpstreamError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;

  constructor(details: UpstreamErrorDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'UpstreamError';
    this.code = details.code;
    this.retryable = details.retryable;
    this.retryAfterMs = details.retryAfterMs;
    this.status = details.status;
    this.requestId = details.requestId;
  }
}

/** A bug: something the code itself promised is not so. Never caught. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}`);
}

/** For the default branch of a switch over a union: the compiler proves that it is never reached. */
export function unreachable(value: never): never {
  throw new Error(`Assertion failed: unexpected ${JSON.stringify(value)}`);
}
