import { type BatchReader, requestBatch } from './read-batch.ts';
import type { IdLookup, LookUpIdsRequest } from './types.ts';

/**
 * Checks in one request whether HubSpot has these records. Unlike `readBatch` it counts an id as missing only if HubSpot
 * names it as not found, and it sends no second request.
 */
export async function lookUpIds(
  reader: BatchReader,
  { ids, ...request }: LookUpIdsRequest,
): Promise<IdLookup> {
  const { results, errors, unreadable } = await requestBatch(reader, { ...request, properties: [] }, ids);
  const asked = new Set(ids);
  const found = new Set(
    results.flatMap(({ id, mergedIds }) => [id, ...mergedIds]).filter((id) => asked.has(id)),
  );
  const isPuzzling =
    unreadable > 0 ||
    results.some(({ id, mergedIds }) => ![id, ...mergedIds].some((one) => asked.has(one))) ||
    errors.some((error) => error.ids.size === 0);
  if (isPuzzling) return { found, notFound: new Set() };
  const otherErrors = errors.filter(({ category }) => category !== NOT_FOUND);
  const isNotFound = (id: string) =>
    !found.has(id) &&
    !otherErrors.some((error) => error.ids.has(id)) &&
    errors.some((error) => error.category === NOT_FOUND && error.ids.has(id));
  return { found, notFound: new Set(ids.filter(isNotFound)) };
}

const NOT_FOUND = 'OBJECT_NOT_FOUND';
