import type { Clock } from '#shared/kernel/clock.ts';
import { assert, UpstreamError } from '#shared/kernel/errors.ts';
import { readAnswer } from './failures.ts';
import { SearchAnswerSchema } from './schemas.ts';
import type { SearchFilter, SearchFilterGroup } from './search-filter.ts';
import { API_VERSION, type Exchange } from './transport.ts';
import type { HubSpotObject, SearchAllRequest, SearchPage, SearchRequest } from './types.ts';

/** HubSpot developer docs, "Search the CRM": page size, groups, filters a group, filters in all. */
const MAX_LIMIT = 200;
const MAX_GROUPS = 5;
const MAX_FILTERS_IN_GROUP = 6;
const MAX_FILTERS = 18;

/** Five searches a second are allowed for the whole account; one in five is left to its other apps. */
const SEARCH_INTERVAL_MS = 250;

export interface Searcher {
  readonly exchange: Exchange;
  /** Waits for this process's next turn to search. */
  readonly turn: (signal: AbortSignal | undefined) => Promise<void>;
}

/** Spaces the searches of one process evenly; more processes are kept apart by HubSpot's 429 and its retries. */
export function createTurns(clock: Clock): Searcher['turn'] {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    const nowMs = clock.monotonic();
    const turnMs = Math.max(nowMs, nextMs);
    nextMs = turnMs + SEARCH_INTERVAL_MS;
    if (turnMs > nowMs) await clock.sleep(turnMs - nowMs, signal);
  };
}

export async function search({ exchange, turn }: Searcher, request: SearchRequest): Promise<SearchPage> {
  assertWithinLimits(request);
  const { objectType, filterGroups, properties, limit, sort, after, signal, untilMs } = request;
  const path = `/crm/objects/${API_VERSION}/${objectType}/search`;
  const body = {
    filterGroups,
    properties: [...new Set([...properties, 'hs_merged_object_ids'])],
    limit,
    ...(sort && { sorts: [sort] }),
    after,
  };
  await turn(signal);
  const response = await exchange({ method: 'POST', path, body }, { signal, untilMs });
  const { total, results, paging } = readAnswer(response, SearchAnswerSchema);
  return { total, results, ...(paging === undefined ? {} : { after: paging.next.after }) };
}

/**
 * One query reaches 10,000 results and no further, so each page is a query of its own: ids above the last one seen.
 * Records that appear meanwhile with a higher id are included; the index itself lags "a few moments" behind.
 */
export async function* searchAll(
  searcher: Searcher,
  request: SearchAllRequest,
): AsyncGenerator<HubSpotObject, void, undefined> {
  let lastId = request.afterId;
  for (;;) {
    const page = await search(searcher, {
      objectType: request.objectType,
      properties: request.properties,
      filterGroups: lastId === undefined ? request.filterGroups : above(lastId, request.filterGroups),
      sort: { propertyName: 'hs_object_id', direction: 'ASCENDING' },
      limit: MAX_LIMIT,
      signal: request.signal,
      untilMs: request.untilMs,
    });
    yield* page.results;
    const newLastId = page.results.at(-1)?.id;
    if (newLastId === undefined || page.after === undefined) return;
    if (lastId !== undefined && Number(newLastId) <= Number(lastId)) throw notAscending();
    lastId = newLastId;
  }
}

function above(id: string, groups: readonly SearchFilterGroup[]): readonly SearchFilterGroup[] {
  const filter: SearchFilter = { propertyName: 'hs_object_id', operator: 'GT', value: id };
  if (groups.length === 0) return [{ filters: [filter] }];
  return groups.map(({ filters }) => ({ filters: [...filters, filter] }));
}

function assertWithinLimits({ limit, filterGroups }: SearchRequest): void {
  const counts = filterGroups.map(({ filters }) => filters.length);
  assert(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT, 'a search page has 1 to 200 results');
  assert(counts.length <= MAX_GROUPS, 'a search has at most 5 filter groups');
  assert(Math.max(0, ...counts) <= MAX_FILTERS_IN_GROUP, 'a filter group has at most 6 filters');
  assert(counts.reduce((sum, count) => sum + count, 0) <= MAX_FILTERS, 'a search has at most 18 filters');
}

function notAscending(): UpstreamError {
  return new UpstreamError({
    code: 'HUBSPOT_UNREADABLE_ANSWER',
    message: 'HubSpot returned search results out of the order asked for.',
    retryable: true,
  });
}
