import { type ObjectTypeId, objectTypeIdOf } from '../objects/object-types.ts';
import type { Actor, Portal } from '../portal.ts';
import { ApiError, badRequest } from './api-error.ts';

/** One parsed request. */
export interface Call {
  readonly portal: Portal;
  readonly method: string;
  readonly path: string;
  /** The variable parts of the path, by the names in the route's pattern. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Parsed JSON. `undefined` without a body. */
  readonly body: unknown;
  /** Length of the raw body in characters. */
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
  /** Pattern with variable parts in braces. Legacy paths have `v3` or `v4` in another place than `{version}`. */
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

/** All values of a query parameter, repeated or separated by commas. */
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
