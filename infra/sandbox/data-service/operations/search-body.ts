import { badRequest } from '../errors.ts';
import type { OperationInput } from '../operation.ts';
import { readPageSize, readPosition } from '../parameters.ts';
import { isRecord } from '../settings.ts';

const DEFAULT_PAGE_SIZE = 25;

/** No body at all is an empty one. @throws ApiError 400 */
export function readBody({ body }: OperationInput): Record<string, unknown> {
  if (body === undefined) return {};
  if (!isRecord(body)) throw badRequest('Request body must be a JSON object');
  return body;
}

export interface Page {
  readonly number: number;
  readonly size: number;
}

/** @throws ApiError 400 */
export function readPage(body: Readonly<Record<string, unknown>>): Page {
  const size = readPageSize(body['per_page'], DEFAULT_PAGE_SIZE);
  return { size, number: readPosition(body['page'], 'page') };
}

export function sliceOf<T>(found: readonly T[], { number, size }: Page): T[] {
  return found.slice((number - 1) * size, number * size);
}
