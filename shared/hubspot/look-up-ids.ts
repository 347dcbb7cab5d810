import { type BatchReader, requestBatch } from './read-batch.ts';
import type { IdLookup, LookUpIdsRequest } from './types.ts';

/**
 * Checks in one request whether HubSpot has these records. Unlike `readBatch`, this counts an id as missing only if
 * HubSpot names it as not found. It sends no second request.
 */
export async function lookUpIds(
  reader: BatchReader,
  { ids, ...request }: LookUpIdsRequest,
): Promise<IdLookup> {
  const { results, errors, unreadable } = await requestBatch(reader, { ...request, properties: [] }, ids);
  const requested = new Set(ids);
  const found = new Set(
    results.flatMap(({ id, mergedIds }) => [id, ...mergedIds]).filter((id) => requested.has(id)),
  );
  const isUnclear =
    unreadable > 0 ||
    results.some(({ id, mergedIds }) => ![id, ...mergedIds].some((recordId) => requested.has(recordId))) ||
    errors.some((error) => error.ids.size === 0);
  if (isUnclear) return { found, notFound: new Set() };
  const otherErrors = errors.filter(({ category }) => category !== NOT_FOUND);
  const isNotFound = (id: string) =>
    !found.has(id) &&
    !otherErrors.some((error) => error.ids.has(id)) &&
    errors.some((error) => error.category === NOT_FOUND && error.ids.has(id));
  return { found, notFound: new Set(ids.filter(isNotFound)) };
}

const NOT_FOUND = 'OBJECT_NOT_FOUND';
