/** Page after page of a search, never more results than allowed: each of them is paid for. */
import { assert } from '#shared/kernel/errors.ts';
import type { Answer } from './types.ts';

/** Largest page of all three searches (specification: Paging limits). */
const LARGEST_PAGE = 100;

export interface Paging<Page, Item> {
  /** Asks for one page; whatever it throws ends the paging. */
  readonly ask: (page: Page) => Promise<Answer<readonly Item[]>>;
  /** How many results may be paid for in all. At least 1. */
  readonly maxResults: number;
}

/**
 * Pages by number, until a page is short or one more would exceed the maximum. All pages have one size, because a
 * page number means nothing else; the size is the largest with which the fewest pages fit the maximum, so that up
 * to one result a page may be left over (250 are three pages of 83).
 */
export async function* numberedPages<Item>(
  paging: Paging<{ readonly page: number; readonly per_page: number }, Item>,
): AsyncGenerator<Answer<readonly Item[]>, void, undefined> {
  const maxResults = checked(paging.maxResults);
  const per_page = Math.floor(maxResults / Math.ceil(maxResults / LARGEST_PAGE));
  let paid = 0;
  for (let page = 1; paid + per_page <= maxResults; page += 1) {
    const answer = await paging.ask({ page, per_page });
    yield answer;
    if (answer.results < per_page) return;
    paid += answer.results;
  }
}

/** Pages by offset, until `has_more` is false (or, without it, a page is short) or the maximum is reached. */
export async function* offsetPages<Item>(
  paging: Paging<{ readonly limit: number; readonly offset: number }, Item>,
): AsyncGenerator<Answer<readonly Item[]>, void, undefined> {
  const maxResults = checked(paging.maxResults);
  let offset = 0;
  while (offset < maxResults) {
    const limit = Math.min(LARGEST_PAGE, maxResults - offset);
    const answer = await paging.ask({ limit, offset });
    yield answer;
    const hasMore = answer.pagination?.has_more ?? answer.results >= limit;
    if (!hasMore || answer.results === 0) return;
    offset += answer.results;
  }
}

/** The records of pages, one by one; the next page is asked for only when its first record is wanted. */
export async function* recordsOf<Item>(
  pages: AsyncIterable<Answer<readonly Item[]>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of pages) yield* page.data;
}

function checked(maxResults: number): number {
  assert(Number.isInteger(maxResults) && maxResults >= 1, 'maxResults must be a whole number, at least 1');
  return maxResults;
}
