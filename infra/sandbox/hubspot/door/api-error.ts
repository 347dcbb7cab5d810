import type { Random } from '../../../../shared/kernel/index.ts';

export interface ErrorDetail {
  readonly message: string;
  readonly code?: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

/** Why a request, or one input of a batch, was refused. */
export interface Failure {
  /** Status of the answer, if the failure decides it. */
  readonly status: number;
  readonly category: string;
  readonly message: string;
  readonly subCategory?: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
  readonly errors?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Ends the request with the failure as its answer. */
export class ApiError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'ApiError';
    this.failure = failure;
  }
}

export function badRequest(message: string, more: Partial<Failure> = {}): Failure {
  return { status: 400, category: 'VALIDATION_ERROR', message, ...more };
}

export function notFound(message: string, more: Partial<Failure> = {}): Failure {
  return { status: 404, category: 'OBJECT_NOT_FOUND', message, ...more };
}

export function conflict(message: string, more: Partial<Failure> = {}): Failure {
  return { status: 409, category: 'CONFLICT', message, ...more };
}

/** The failure in the form of an answer, or of `errors` in a 207. */
export function failureBody(failure: Failure): Record<string, unknown> {
  const { status: _status, headers: _headers, ...said } = failure;
  return { status: 'error', ...said };
}

/** Draws an id in the form of a UUID. */
export function newCorrelationId(random: Random): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
