export interface UpstreamErrorDetails {
  /** Identifies the failure. Never changes, in upper snake case: `HTTP_TIMEOUT`, `DATA_SERVICE_UNAUTHORIZED`, ... */
  readonly code: string;
  /** One sentence for a person, without personal data, tokens or bodies. */
  readonly message: string;
  /** Whether a retry of the same request does no harm and may succeed. */
  readonly retryable: boolean;
  /** The wait that the server requests, if any. Milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** HTTP status, if there is one. */
  readonly status?: number | undefined;
  /** The server's id of the request (correlation id), for its support. */
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/**
 * A failure of an outside service: network, vendor or store. Only adapters throw it. `code` identifies the failure. An
 * outcome of the domain is a returned value, and a bug is a failed assertion.
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

/**
 * Names an error in a log. The error's message stays out, because it can quote a request or an answer. SQLite's own text
 * is one of a fixed list.
 */
export function errorCode(error: unknown): string {
  if (error instanceof UpstreamError) return error.code;
  if (!(error instanceof Error)) return 'UNKNOWN';
  return 'errstr' in error ? String(error.errstr) : error.name;
}

/** Checks a condition that only a bug can violate. Its error is never caught. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Assertion failed: ${message}`);
}

/** For the default branch of a switch over a union. The compiler proves that it is never reached. */
export function unreachable(value: never): never {
  throw new Error(`Assertion failed: unexpected ${JSON.stringify(value)}`);
}

/** Parses a text from outside; `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
