import type { Filter } from '@hubspot/api-client/lib/codegen/crm/objects/models/Filter.js';
import { assert, type Clock, UpstreamError } from '#shared/kernel';
import { readAnswer } from './failures.ts';
import { dated, searchRequests } from './requests.ts';
import { SearchAnswerSchema } from './schemas.ts';
import type { Exchange } from './transport.ts';
import type { HubSpotObject, SearchAllRequest, SearchPage, SearchRequest } from './types.ts';

/** Limits of the page size, and of the filters of one group. Source: HubSpot developer docs, "Search the CRM". */
const MAX_LIMIT = 200;
const MAX_FILTERS = 6;

/** An account may send five searches a second. This process uses four and leaves one to other apps. */
const SEARCH_INTERVAL_MS = 250;

export interface Searcher {
  readonly exchange: Exchange;
  /** Waits until this process may send its next search. */
  readonly turn: () => Promise<void>;
}

/** Spaces the searches of one process evenly. Several processes are slowed down by HubSpot's 429 and the retries. */
export function createSearchPacing(clock: Clock): Searcher['turn'] {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = clock.monotonic();
    const turnMs = Math.max(nowMs, nextMs);
    nextMs = turnMs + SEARCH_INTERVAL_MS;
    if (turnMs > nowMs) await clock.sleep(turnMs - nowMs);
  };
}

/**
 * Reads a page of matches in the order of their ids. One query returns at most 10,000 results, so each page is a new
 * query for ids above the last id. HubSpot's search index is "a few moments" late.
 */
export async function search(
  { exchange, turn }: Searcher,
  { objectType, filters: wanted, afterId, properties, limit, untilMs }: SearchRequest,
): Promise<SearchPage> {
  const above = { propertyName: 'hs_object_id', operator: 'GT', value: afterId };
  const filters = [...wanted, ...(afterId === undefined ? [] : [above])];
  assert(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT, 'a search page has 1 to 200 results');
  assert(filters.length <= MAX_FILTERS, 'a search has at most 6 filters');
  const body = {
    filterGroups: filters.length > 0 ? [{ filters: filters as Filter[] }] : [],
    properties: [...new Set([...properties, 'hs_merged_object_ids'])],
    limit,
    // HubSpot accepts objects here. The generated type is `string[]`, but its serialiser passes both unchanged.
    sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }] as unknown as string[],
  };
  const request = await dated(searchRequests.doSearch(objectType, body));
  await turn();
  const response = await exchange({ ...request, untilMs });
  const { total, results, paging } = readAnswer(response, SearchAnswerSchema);
  return { total, results, hasMore: paging !== undefined };
}

/** Reads all matches. Records that are created during the search are included if their id is higher. */
export async function* searchAll(
  searcher: Searcher,
  request: SearchAllRequest,
): AsyncGenerator<HubSpotObject, void, undefined> {
  for (let afterId: string | undefined; ; ) {
    const { results, hasMore } = await search(searcher, { ...request, afterId, limit: MAX_LIMIT });
    yield* results;
    const lastId = results.at(-1)?.id;
    if (!hasMore || lastId === undefined) return;
    // Otherwise the pages would never end.
    if (afterId !== undefined && Number(lastId) <= Number(afterId)) throw notAscending();
    afterId = lastId;
  }
}

function notAscending(): UpstreamError {
  return new UpstreamError({
    code: 'HUBSPOT_UNREADABLE_ANSWER',
    message: 'HubSpot returned search results in another order than requested.',
    retryable: true,
  });
}
