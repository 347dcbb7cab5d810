import * as z from 'zod';
import type { Random } from '../../../shared/kernel/index.ts';
import { type Actor, type ObjectTypeId, objectTypeIdOf, type Portal } from './state.ts';

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

export function newCorrelationId(random: Random): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text or a number, read as text. */
export const text = z.union([z.string(), z.number()], { error: 'must be a string' }).transform(String);
/** A text that is not empty. */
export const filledText = text.pipe(z.string().min(1));
export const texts = listOf(z.unknown().transform(String));

/** A list. An absent one is empty. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .array(item, { error: 'must be a list' })
    .nullish()
    .transform((given) => given ?? []);
}

/** The id of an object type by any of its names. */
export const objectType = filledText.transform((name, { addIssue }) => {
  const typeId = objectTypeIdOf(name);
  if (typeId) return typeId;
  addIssue('is neither contacts nor companies');
  return z.NEVER;
});

/** @throws ApiError 400 that names the first part with another form. */
export function inForm<Form extends z.ZodType>(form: Form, given: unknown): z.output<Form> {
  const read = form.safeParse(given);
  if (read.success) return read.data;
  const { path = [], message = '' } = read.error.issues[0] ?? {};
  const part = path.reduce<unknown>((whole, key) => Object(whole)[key], given);
  const isMissing = path.length > 0 && (part === undefined || part === null || part === '');
  throw new ApiError(
    badRequest(
      isMissing
        ? `Some required fields were not set: [${path.join('.')}]`
        : `Invalid input JSON: ${path.join('.') || 'The request body'} ${message}.`,
    ),
  );
}

export interface Call {
  readonly portal: Portal;
  readonly method: string;
  readonly path: string;
  /** The variable parts of the path, by the names in the route's pattern. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON. `undefined` without a body. */
  readonly body: unknown;
  readonly bodyLength: number;
  readonly actor: Actor;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Pattern with variable parts in braces. */
  readonly path: string;
  /** Right that the token needs on the object type in the path, or on the account. */
  readonly needs?: 'read' | 'write' | 'schema' | 'account' | 'automation';
  /** Rate limit that counts the call. `general` by default. */
  readonly bucket?: 'general' | 'search' | 'associations';
  readonly run: (call: Call) => Reply;
}

export function param(call: Call, name: string): string {
  return call.params[name] ?? '';
}

/** @throws ApiError 400 if the path names a type that this account does not have. */
export function typeParam(call: Call, name = 'objectType'): ObjectTypeId {
  const typeId = objectTypeIdOf(param(call, name));
  if (!typeId) throw new ApiError(badRequest(`Unable to infer object type from: ${param(call, name)}`));
  return typeId;
}

export interface Match {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

export function createRouter(routes: readonly Route[]) {
  const compiled = routes.map((route) => ({ route, pattern: patternOf(route.path) }));
  return (method: string, path: string): Match | undefined => {
    const found = compiled.find(({ route, pattern }) => route.method === method && pattern.test(path));
    if (!found) return undefined;
    const groups = found.pattern.exec(path)?.groups ?? {};
    const params = Object.entries(groups).map(([name, value]) => [name, decoded(value)]);
    return { route: found.route, params: Object.fromEntries(params) };
  };
}

/** An invalid escape is left as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}
