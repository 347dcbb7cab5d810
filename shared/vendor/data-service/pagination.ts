/** Reads a search page by page. The number of results is limited, because each result is charged. */
import { assert } from '#shared/kernel';
import { LARGEST_PAGE, OPERATIONS, type SearchOperation } from './operations.ts';

interface ResultPage {
  readonly results: number;
  readonly pagination?: { readonly has_more: boolean } | undefined;
}

/** The parameters of one page by the vendor's names: `page` and `per_page`, or `offset` and `limit`. */
type PageParameters = { readonly [name in 'page' | 'per_page' | 'offset' | 'limit']?: number };

/**
 * Reads pages of a search until the last page, or until the next page could exceed the maximum.
 *
 * Numbered pages all have the same size. It is chosen so that as few pages as possible cover the maximum. Some results
 * may not be read: for 250 results, three pages of 83 are read. A short page is the last numbered page. With pages by
 * offset, the last page has `has_more` false, or is short if this field is missing.
 * @param search.maxResults limit for the charged results of all pages, at least 1
 * @param search.ask requests one page of `size` results. If it throws an error, the paging ends.
 */
export async function* pagesOf<Page extends ResultPage>(search: {
  readonly operation: SearchOperation;
  readonly maxResults: number;
  readonly ask: (page: PageParameters, size: number) => Promise<Page>;
}): AsyncGenerator<Page, void, undefined> {
  const { maxResults, ask } = search;
  assert(Number.isInteger(maxResults) && maxResults >= 1, 'maxResults must be a whole number, at least 1');
  const { page } = OPERATIONS[search.operation];
  const isNumbered = page.place === 'page';
  const evenSize = Math.floor(maxResults / Math.ceil(maxResults / LARGEST_PAGE));
  let paidResults = 0;
  for (let number = 1; ; number += 1) {
    const size = isNumbered ? evenSize : Math.min(LARGEST_PAGE, maxResults - paidResults);
    if (size < 1 || paidResults + size > maxResults) return;
    const answer = await ask({ [page.place]: isNumbered ? number : paidResults, [page.size]: size }, size);
    yield answer;
    const hasMore = answer.pagination?.has_more ?? answer.results >= size;
    if (!hasMore || answer.results === 0) return;
    paidResults += answer.results;
  }
}
