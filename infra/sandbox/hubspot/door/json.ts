import { ApiError, badRequest } from './api-error.ts';

export type JsonObject = Record<string, unknown>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws ApiError 400 if the value is not an object. */
export function asObject(value: unknown, what = 'The request body'): JsonObject {
  if (!isJsonObject(value)) throw new ApiError(badRequest(`Invalid input JSON: ${what} must be an object.`));
  return value;
}

/** The text or number under the key, as text. `undefined` if it is absent or null. */
export function optionalText(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw new ApiError(badRequest(`Invalid input JSON: ${key} must be a string.`));
}

/** The text or number under the key, as text. @throws ApiError 400 if it is absent or null */
export function requiredText(object: JsonObject, key: string): string {
  const value = optionalText(object, key);
  if (value === undefined || value === '') {
    throw new ApiError(badRequest(`Some required fields were not set: [${key}]`));
  }
  return value;
}

/** The list under the key. Empty if it is absent. */
export function listIn(object: JsonObject, key: string): readonly unknown[] {
  const value = object[key];
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new ApiError(badRequest(`Invalid input JSON: ${key} must be a list.`));
}

export function textsIn(object: JsonObject, key: string): readonly string[] {
  return listIn(object, key).map(String);
}
