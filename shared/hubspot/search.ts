import { SearchApiRequestFactory } from '@hubspot/api-client/lib/codegen/crm/objects/apis/SearchApi.js';
import type { Configuration } from '@hubspot/api-client/lib/codegen/crm/objects/configuration.js';
import { FilterOperatorEnum } from '@hubspot/api-client/lib/codegen/crm/objects/models/Filter.js';
import type { PublicObjectSearchRequest } from '@hubspot/api-client/lib/codegen/crm/objects/models/PublicObjectSearchRequest.js';
import { assert, type Clock, UpstreamError } from '#shared/kernel';
import { readAnswer } from './failures.ts';
import { SearchAnswerSchema } from './schemas.ts';
import { type Exchange, enumMember } from './transport.ts';
import type {
  HubSpotObject,
  SearchAllRequest,
  SearchFilter,
  SearchFilterGroup,
  SearchPage,
  SearchRequest,
} from './types.ts';

/** Limits of page size, groups, filters in a group, and all filters. Source: HubSpot developer docs, "Search the CRM". */
const MAX_LIMIT = 200;
const MAX_GROUPS = 5;
const MAX_FILTERS_IN_GROUP = 6;
const MAX_FILTERS = 18;

/** An account may send five searches a second. This process uses four and leaves one to other apps. */
const SEARCH_INTERVAL_MS = 250;

export interface Searcher {
  readonly exchange: Exchange;
  readonly configuration: Configuration;
  /** Waits until this process may send its next search. */
  readonly turn: (signal: AbortSignal | undefined) => Promise<void>;
}

/** Spaces the searches of one process evenly. Several processes are slowed down by HubSpot's 429 and the retries. */
export function createSearchPacing(clock: Clock): Searcher['turn'] {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    const nowMs = clock.monotonic();
    const turnMs = Math.max(nowMs, nextMs);
    nextMs = turnMs + SEARCH_INTERVAL_MS;
    if (turnMs > nowMs) await clock.sleep(turnMs - nowMs, signal);
  };
}

export async function search(searcher: Searcher, request: SearchRequest): Promise<SearchPage> {
  assertWithinLimits(request);
  const body: PublicObjectSearchRequest = {
    filterGroups: request.filterGroups.map(({ filters }) => ({ filters: filters.map(toFilter) })),
    properties: [...new Set([...request.properties, 'hs_merged_object_ids'])],
    limit: request.limit,
    // HubSpot accepts objects here. The generated type is `string[]`, but its serialiser passes both unchanged.
    ...(request.sort === undefined ? {} : { sorts: [request.sort] as unknown as string[] }),
    ...(request.after === undefined ? {} : { after: request.after }),
  };
  const factory = new SearchApiRequestFactory(searcher.configuration);
  const generated = await factory.doSearch(request.objectType, body);
  await searcher.turn(request.signal);
  const response = await searcher.exchange(generated, { signal: request.signal, untilMs: request.untilMs });
  const { total, results, paging } = readAnswer(response, SearchAnswerSchema);
  return { total, results, ...(paging === undefined ? {} : { after: paging.next.after }) };
}

/**
 * Reads all matches. One query returns at most 10,000 results, so each page is a new query for ids above the last id.
 * Records that are created during the search are included if their id is higher. HubSpot's search index is "a few
 * moments" late.
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
      filterGroups: lastId === undefined ? request.filterGroups : withIdsAbove(lastId, request.filterGroups),
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

function withIdsAbove(id: string, groups: readonly SearchFilterGroup[]): readonly SearchFilterGroup[] {
  const filter: SearchFilter = { propertyName: 'hs_object_id', operator: 'GT', value: id };
  if (groups.length === 0) return [{ filters: [filter] }];
  return groups.map(({ filters }) => ({ filters: [...filters, filter] }));
}

function toFilter({ operator, values, ...filter }: SearchFilter) {
  return {
    ...filter,
    operator: enumMember(FilterOperatorEnum, operator),
    ...(values === undefined ? {} : { values: [...values] }),
  };
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
    message: 'HubSpot returned search results in another order than requested.',
    retryable: true,
  });
}
