/** Page after page of a search, never more results than allowed: each of them is paid for. */
import { assert } from '#shared/kernel';
import { LARGEST_PAGE, OPERATIONS, type SearchOperation } from './operations.ts';
import type { ServiceAnswer } from './types.ts';

/** The parameters of one page by the vendor's names: `page` and `per_page`, or `offset` and `limit`. */
type PageParameters = { readonly [name in 'page' | 'per_page' | 'offset' | 'limit']?: number };

/**
 * Pages of a search, until there are no more or one more would exceed the maximum.
 *
 * Pages by number have one size, because a page number means nothing else. The size is the largest with which the
 * fewest pages fit the maximum. Some results may be left over: 250 are three pages of 83. These pages end with a short
 * page. Pages by offset end when `has_more` is false or, without it, with a short page.
 * @param search.maxResults how many results may be paid for in all. At least 1
 * @param search.ask asks for one page of `size` results; an error that it throws ends the paging
 */
export async function* pagesOf<Page extends Pick<ServiceAnswer, 'results' | 'pagination'>>(search: {
  readonly operation: SearchOperation;
  readonly maxResults: number;
  readonly ask: (page: PageParameters, size: number) => Promise<Page>;
}): AsyncGenerator<Page, void, undefined> {
  const { maxResults, ask } = search;
  assert(Number.isInteger(maxResults) && maxResults >= 1, 'maxResults must be a whole number, at least 1');
  const { page } = OPERATIONS[search.operation];
  const isNumbered = page.place === 'page';
  const evenSize = Math.floor(maxResults / Math.ceil(maxResults / LARGEST_PAGE));
  let paid = 0;
  for (let number = 1; ; number += 1) {
    const size = isNumbered ? evenSize : Math.min(LARGEST_PAGE, maxResults - paid);
    if (size < 1 || paid + size > maxResults) return;
    const answer = await ask({ [page.place]: isNumbered ? number : paid, [page.size]: size }, size);
    yield answer;
    const hasMore = answer.pagination?.has_more ?? answer.results >= size;
    if (!hasMore || answer.results === 0) return;
    paid += answer.results;
  }
}

/** The records of pages, one by one; the next page is asked for only when its first record is wanted. */
export async function* recordsInPages<Item>(
  pages: AsyncIterable<ServiceAnswer<readonly Item[]>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of pages) yield* page.data;
}
