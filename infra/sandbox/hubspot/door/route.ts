import { type ObjectTypeId, objectTypeIdOf } from '../objects/object-types.ts';
import type { Actor, Portal } from '../portal.ts';
import { ApiError, badRequest } from './api-error.ts';

/** One request, taken apart. */
export interface Call {
  readonly portal: Portal;
  readonly method: string;
  readonly path: string;
  /** The variable parts of the path, by the names in the route's pattern. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON; undefined where there was no body. */
  readonly body: unknown;
  /** Length of the body as it came, characters. */
  readonly bodyLength: number;
  readonly actor: Actor;
  /** Whether the path carries the newest version, `2026-09`. */
  readonly newest: boolean;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Variable parts in braces. `{version}` is where legacy paths carry `v3` or `v4` in another place. */
  readonly path: string;
  /** What the token must be allowed to do with the object type in the path, or with the account. */
  readonly needs?: 'read' | 'write' | 'schema' | 'account' | 'automation';
  /** Which rate limit counts the call; `general` unless told. */
  readonly bucket?: 'general' | 'search' | 'associations';
  readonly run: (call: Call) => Reply;
}

export function param(call: Call, name: string): string {
  return call.params[name] ?? '';
}

/** @throws ApiError 400 when the path names a type that this account does not have. */
export function typeParam(call: Call, name = 'objectType'): ObjectTypeId {
  const typeId = objectTypeIdOf(param(call, name));
  if (!typeId) throw new ApiError(badRequest(`Unable to infer object type from: ${param(call, name)}`));
  return typeId;
}

/** Every value of a query parameter, repeated or with commas. */
export function queryList(call: Call, name: string): readonly string[] {
  return call.query
    .getAll(name)
    .flatMap((part) => part.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function queryLimit(call: Call, { byDefault, most }: { byDefault: number; most: number }): number {
  const text = call.query.get('limit');
  const limit = text === null ? byDefault : Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit;
  throw new ApiError(badRequest(`The limit must be a whole number between 1 and ${most}.`));
}
