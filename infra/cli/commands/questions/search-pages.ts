import { priceOfQuestion, type Question } from '#shared/questions';
import { pagesOf } from '#shared/vendor';
import type { DataRecord } from '../../terminal/record-fields.ts';
import type { Asker, GatewayAnswer } from './asker.ts';
import { pageQuestion, type Search } from './search-question.ts';

/** One page of results, from the data service or the store. */
export interface DeliveredPage {
  readonly records: readonly DataRecord[];
  readonly credits: number;
  readonly fromStore: boolean;
  readonly isMatch: boolean;
  /** The store has only a part of the page. */
  readonly isCut: boolean;
}

/** Highest cost of a search in credits. Every page without a stored answer counts as full. */
export async function quoteOf(asker: Asker, search: Search, maxResults: number): Promise<number> {
  let credits = 0;
  const pages = requestPages(search, maxResults, async ({ question, size }) => {
    const stored = await asker.stored(question);
    if (stored) return pageEnd(stored, storedResults(stored, size));
    credits += priceOfQuestion(question);
    return pageEnd(undefined, size);
  });
  for await (const _ of pages);
  return credits;
}

/** Reads pages through the gateway. Ends after a page that is not full, or at the maximum of results or credits. */
export async function* searchPages(
  asker: Asker,
  search: Search,
  { maxResults, maxCredits }: { readonly maxResults: number; readonly maxCredits: number },
): AsyncGenerator<DeliveredPage> {
  let leftCredits = maxCredits;
  const delivered: DeliveredPage[] = [];
  const pages = requestPages(search, maxResults, async ({ question, size }) => {
    const answer = await asker.ask(question, leftCredits);
    leftCredits -= answer.credits;
    const records = answer.kind === 'found' ? recordsIn(answer) : [];
    const { credits, fromStore } = answer;
    const isCut = answer.kind === 'found' && answer.isCut === true;
    delivered.push({ records, credits, fromStore, isMatch: answer.kind === 'found', isCut });
    const count = fromStore ? storedResults(answer, size) : records.length;
    return pageEnd(answer, paidResults({ question, size, credits, count }));
  });
  for await (const _ of pages) yield* delivered.splice(0);
}

interface RequestedPage {
  readonly question: Question;
  readonly size: number;
}

/** Number of results of a stored page. A page that is stored in part counts as full, so that the search goes on. */
function storedResults(stored: GatewayAnswer, size: number): number {
  if (stored.kind !== 'found') return 0;
  return stored.isCut ? size : recordsIn(stored).length;
}

/** Uses the client's paging, but with the given function for the requests. */
function requestPages(
  search: Search,
  maxResults: number,
  ask: (page: RequestedPage) => Promise<PageEnd>,
): AsyncIterable<unknown> {
  return pagesOf({
    operation: search.operation,
    maxResults,
    ask: (page, size) => ask({ question: pageQuestion(search, page), size }),
  });
}

/** Number of results of a page, and whether the service reports more. */
interface PageEnd {
  readonly results: number;
  readonly pagination?: { readonly has_more: boolean };
}

function pageEnd(answered: GatewayAnswer | undefined, results: number): PageEnd {
  const pagination = answered?.kind === 'found' ? groupIn(answered.record['pagination']) : undefined;
  const hasMore = answered?.kind === 'no-match' ? false : pagination?.['has_more'];
  return { results, ...(typeof hasMore === 'boolean' && { pagination: { has_more: hasMore } }) };
}

/** The records of an answered page. */
export function recordsIn(answered: GatewayAnswer & { kind: 'found' }): DataRecord[] {
  const data = answered.record['data'];
  return Array.isArray(data) ? data.flatMap<DataRecord>((item: unknown) => groupIn(item) ?? []) : [];
}

function groupIn(value: unknown): DataRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** Number of paid results of a page. Unreadable results count too, because `--max` limits paid results. */
function paidResults(page: RequestedPage & { credits: number; count: number }): number {
  const pricePerResult = priceOfQuestion(page.question) / page.size;
  return Math.max(page.count, Math.round(page.credits / pricePerResult));
}
