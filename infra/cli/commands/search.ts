import { Option } from 'commander';
import { command, counted, type Wording, wording } from '#shared/kernel';
import { LOOKUPS, priceOfQuestion, type Question } from '#shared/questions';
import { pagesOf, type SearchOperation } from '#shared/vendor';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError, EXIT, errorJson } from '../terminal/exit.ts';
import { wholeNumber } from '../terminal/refusals.ts';
import { CHOSEN_COLUMNS, type DataRecord, recordTable, type Sheet } from '../terminal/sheet.ts';
import {
  type Asker,
  CUT_NOTE,
  createAsker,
  type GatewayAnswer,
  type WaitOptions,
  waitMsOf,
  withAskOptions,
} from './asker.ts';
import { type OperationOptions, operationOptions } from './lookup.ts';
import { basePrice, searchPriceLine } from './price-line.ts';
import { pageQuestion, type Search, searchOf } from './search-question.ts';

interface SearchKind {
  readonly operation: SearchOperation;
  readonly about: string;
  readonly example: string;
}

/** `search people|companies|employees`: each result has a price, and `--max` limits the number of results. */
const SEARCHES: Readonly<Record<string, SearchKind>> = {
  people: {
    operation: 'searchPeople',
    about: 'people by any of the filters',
    example: '--roles-count engineer=10..50 --max 20',
  },
  companies: {
    operation: 'searchCompanies',
    about: 'companies by any of the filters',
    example: '--industry Software --max 50 --csv',
  },
  employees: {
    operation: 'searchEmployees',
    about: 'people of one company',
    example: '--domain acme.example --max 25',
  },
};

type SearchOptions = CommandOptions &
  WaitOptions & { readonly max: number } & Readonly<Record<string, unknown>>;

export function addSearch(program: SheetCommand): void {
  const search = program.command('search').description('search for people or companies');
  for (const [name, { operation, about, example }] of Object.entries(SEARCHES)) {
    const known = operationOptions(operation);
    withFilters(search.command(name), known)
      .description(`${about}: ${basePrice(operation)} a result`)
      .example(example)
      .sheet((run, options: SearchOptions) => answer(run, searchOf(operation, known, options), options));
  }
}

function withFilters(command: SheetCommand, { parameters, additions }: OperationOptions): SheetCommand {
  command.optionsGroup('Filters:');
  for (const [, option] of parameters) command.addOption(option);
  command.optionsGroup('Paid additions:');
  for (const [, option] of additions) command.addOption(option);
  const max = new Option('--max <number>', 'highest number of results to pay for').argParser(wholeNumber(1));
  return withAskOptions(command.optionsGroup('Options:').addOption(max.makeOptionMandatory()));
}

async function answer(run: CommandRun, search: Search, options: SearchOptions): Promise<Sheet> {
  const maxResults = options.max;
  const connection = await run.connect();
  const asker = createAsker(connection, { signal: run.signal, waitMs: waitMsOf(options) });
  const credits = await quoteOf(asker, search, maxResults);
  if (credits > 0) await run.agree(await searchPriceLine(connection, search, { credits, maxResults }));
  const pages = searchPages(asker, search, { maxResults, maxCredits: credits });
  const found = await collect(pages, run.progress({ total: maxResults, noun: 'results' }));
  return searchSheet(run, search, { ...found, options, agreedCredits: credits });
}

interface Found {
  readonly pages: readonly DeliveredPage[];
  /** Why the search ended early, although there may be more results. */
  readonly stopped?: CliError;
}

/**
 * Collects the pages. If a page is refused, the earlier pages are still shown, because they are paid for. The refusal
 * is reported after them.
 */
async function collect(
  pages: AsyncIterable<DeliveredPage>,
  onCount: (count: number) => void,
): Promise<Found> {
  const collected: DeliveredPage[] = [];
  let count = 0;
  try {
    for await (const page of pages) {
      collected.push(page);
      count += page.records.length;
      onCount(count);
    }
  } catch (error) {
    if (!(error instanceof CliError) || collected.length === 0) throw error;
    return { pages: collected, stopped: error };
  }
  return { pages: collected };
}

interface Delivered extends Found {
  readonly options: SearchOptions;
  readonly agreedCredits: number;
}

function searchSheet(
  { stack }: CommandRun,
  { operation }: Search,
  { pages, stopped, options, agreedCredits }: Delivered,
): Sheet {
  const records = pages.flatMap((page) => page.records);
  const stored = pages.filter(({ fromStore }) => fromStore);
  const isMatch = pages.some((page) => page.isMatch);
  const isCut = pages.some((page) => page.isCut);
  const credits = pages.reduce((sum, page) => sum + page.credits, 0);
  const cost = `Cost: ${counted(credits, 'credit')}`;
  const overcharged = Math.max(0, credits - agreedCredits);
  const overcharge = overchargeWarning(overcharged);
  const fromStore = resultsOf(stored) > 0 ? `; ${counted(resultsOf(stored), 'result')} from the store` : '';
  return {
    json: {
      operation,
      records,
      credits,
      overchargedCredits: overcharged,
      fromStore: stored.length === pages.length,
      recordsFromStore: resultsOf(stored),
      found: isMatch,
      isCut,
      complete: stopped === undefined,
      ...(stopped && { error: errorJson(stopped, stack) }),
    },
    body: [recordTable(records, CHOSEN_COLUMNS[LOOKUPS[operation].about], options)],
    notes: [
      isMatch ? `${counted(resultsOf(pages), 'result')}. ${cost}${fromStore}.` : `No match. ${cost}.`,
      isCut && CUT_NOTE,
    ],
    warnings: [overcharge, stopped?.wording],
    exit: overcharge ? EXIT.failed : (stopped?.exit ?? (isMatch ? EXIT.ok : EXIT.notFound)),
  };
}

/** Warns of charges above the agreed price; `undefined` if there are none. A page can have more results than requested. */
function overchargeWarning(more: number): Wording | undefined {
  return more === 0
    ? undefined
    : wording`The data service charged ${counted(more, 'credit')} more than you agreed to. This stops further lookups, see: ${command('spend')}`;
}

function resultsOf(pages: readonly DeliveredPage[]): number {
  return pages.reduce((sum, { records }) => sum + records.length, 0);
}

/** One page of results, from the data service or the store. */
interface DeliveredPage {
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
