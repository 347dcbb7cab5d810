/** Reads a search page by page, with a limit for the results, because each result is charged. */
import { assert } from '#shared/kernel';
import { LARGEST_PAGE, OPERATIONS, type SearchOperation } from './operations.ts';
import type { ServiceAnswer } from './types.ts';

/** The parameters of one page by the vendor's names: `page` and `per_page`, or `offset` and `limit`. */
type PageParameters = { readonly [name in 'page' | 'per_page' | 'offset' | 'limit']?: number };

/**
 * Reads pages of a search until there are no more, or the next page could exceed the maximum.
 *
 * Numbered pages all have the same size. It is chosen so that the fewest pages cover the maximum; some results may be left
 * over, for example 250 are three pages of 83. Numbered pages end with a short page. Pages by offset end if `has_more` is
 * false or, without it, with a short page.
 * @param search.maxResults limit for the charged results of all pages, at least 1
 * @param search.ask requests one page of `size` results; an error that it throws ends the paging
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

/** Yields the records of pages one by one. The next page is requested only when its first record is read. */
export async function* recordsInPages<Item>(
  pages: AsyncIterable<ServiceAnswer<readonly Item[]>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of pages) yield* page.data;
}
