import { Option } from 'commander';
import { command, counted, wording } from '#shared/kernel';
import { LOOKUPS, priceOfQuestion, type Question } from '#shared/questions';
import { pagesOf, type SearchOperation } from '#shared/vendor';
import { checkedParameters } from '#shared/vendor/adapters';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError, EXIT, errorJson } from '../terminal/exit.ts';
import { wholeNumber } from '../terminal/refusals.ts';
import { CHOSEN_COLUMNS, type DataRecord, recordTable, type Sheet } from '../terminal/sheet.ts';
import {
  type Asker,
  basePrice,
  budgetLeft,
  CUT_NOTE,
  createAsker,
  type GatewayAnswer,
  questionWords,
  type WaitOptions,
  waitMsOf,
  withAskOptions,
} from './asker.ts';
import { flagsOf, givenIn, type OperationOptions, operationOptions, refuseUnchecked } from './lookup.ts';

/** `search people|companies|employees`: each result has a price, and `--max` limits the number of results. */
const SEARCHES: readonly [name: string, operation: SearchOperation, about: string, example: string][] = [
  ['people', 'searchPeople', 'people by any of the filters', '--title engineer --location Lyon --max 20'],
  ['companies', 'searchCompanies', 'companies by any of the filters', '--industry Software --max 50 --csv'],
  ['employees', 'searchEmployees', 'people of one company', '--domain acme.example --max 25'],
];

type SearchOptions = CommandOptions &
  WaitOptions & { readonly max: number } & Readonly<Record<string, unknown>>;

export function addSearch(program: SheetCommand): void {
  const search = program.command('search').description('search for people or companies');
  for (const [name, operation, about, example] of SEARCHES) {
    const known = operationOptions(operation);
    const command = search.command(name).description(`${about}: ${basePrice(operation)} a result`);
    command.optionsGroup('Filters:');
    for (const [, option] of known.parameters) command.addOption(option);
    command.optionsGroup('Paid additions:');
    for (const [, option] of known.additions) command.addOption(option);
    const max = new Option('--max <number>', 'highest number of results to pay for');
    command.optionsGroup('Options:').addOption(max.argParser(wholeNumber(1)).makeOptionMandatory());
    withAskOptions(command)
      .example(example)
      .sheet((run, options: SearchOptions) => answer(run, searchOf(operation, known, options), options));
  }
}

export interface Search {
  readonly operation: SearchOperation;
  /** Filters and options by the data service's names, without the page. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * Builds a search from the options, in normal form, so that equal searches are the same question. Names have a fixed
 * order, and lists are sorted, without duplicates.
 * @throws CliError that names the option to change
 */
function searchOf(
  operation: SearchOperation,
  known: OperationOptions,
  typed: Readonly<Record<string, unknown>>,
): Search {
  const additions = new Set(known.additions.map(([parameter]) => parameter));
  const given = Object.entries(givenIn(known, typed)).map(
    ([name, value]) => [name, value === true && additions.has(name) ? 'include' : value] as const,
  );
  const checked = refuseUnchecked(
    () => checkedParameters(operation, Object.fromEntries(given)),
    flagsOf(known),
  );
  const entries = Object.entries(checked).map(([name, value]) => [name, normalValue(name, value)] as const);
  return { operation, parameters: Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) };
}

function normalValue(name: string, value: unknown): unknown {
  const isDomain = /domains?$/.test(name);
  const normal = (one: unknown) => (isDomain && typeof one === 'string' ? one.toLowerCase() : one);
  if (!Array.isArray(value)) return normal(value);
  const byText = new Map(value.map(normal).map((one) => [JSON.stringify(one), one]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** The question for one page of a search. */
export function pageQuestion({ operation, parameters }: Search, page: object): Question {
  return { operation, by: { search: JSON.stringify({ ...parameters, ...page }) }, options: [] };
}

async function answer(run: CommandRun, search: Search, options: SearchOptions): Promise<Sheet> {
  const maxResults = options.max;
  const connection = await run.connect();
  const asker = createAsker(connection, { signal: run.signal, waitMs: waitMsOf(options) });
  const agreedCredits = await quoteOf(asker, search, maxResults);
  if (agreedCredits > 0) {
    const results = counted(maxResults, 'result');
    const each = counted(priceOfQuestion(pageQuestion(search, { per_page: 1, limit: 1 })), 'credit');
    const most = `at most ${counted(agreedCredits, 'credit')} for up to ${results} at ${each} each`;
    const left = await budgetLeft(connection, 'manual');
    await run.agree(`${questionWords({ ...search, options: includedIn(search) })}: ${most}, ${left}`);
  }
  const onCount = run.progress({ total: maxResults, noun: 'results' });
  const found = await searchPages(asker, search, { maxResults, maxCredits: agreedCredits, onCount });
  return searchSheet(run, search, { ...found, options, agreedCredits });
}

function includedIn({ parameters }: Search): string[] {
  const included = Object.entries(parameters).filter(([, value]) => value === 'include');
  return included.map(([name]) => name.replace(/^include_/, '').replaceAll('_', ' '));
}

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

interface Found {
  readonly pages: readonly DeliveredPage[];
  /** Why the search ended early, although there may be more results. */
  readonly stopped?: CliError;
}

/**
 * Reads pages through the gateway. Ends after a page that is not full, or at the maximum of results or credits. If a
 * page is refused, the earlier pages are still shown, because they are paid for. The refusal is reported after them.
 */
export async function searchPages(
  asker: Asker,
  search: Search,
  limits: { maxResults: number; maxCredits: number; onCount?: (count: number) => void },
): Promise<Found> {
  let leftCredits = limits.maxCredits;
  const pages: DeliveredPage[] = [];
  const requests = requestPages(search, limits.maxResults, async ({ question, size }) => {
    const answer = await asker.ask(question, leftCredits);
    leftCredits -= answer.credits;
    const isMatch = answer.kind === 'found';
    const records = isMatch ? recordsIn(answer) : [];
    const { credits, fromStore } = answer;
    pages.push({ records, credits, fromStore, isMatch, isCut: isMatch && answer.isCut === true });
    const count = fromStore ? storedResults(answer, size) : records.length;
    // Unreadable results count too, because `--max` limits paid results.
    const paid = Math.round(credits / (priceOfQuestion(question) / size));
    return pageEnd(answer, Math.max(count, paid));
  });
  try {
    for await (const _ of requests) limits.onCount?.(resultsOf(pages));
  } catch (error) {
    if (!(error instanceof CliError) || pages.length === 0) throw error;
    return { pages, stopped: error };
  }
  return { pages };
}

/**
 * Number of results of a stored page. A page counts as full if it is stored in part, or if more results follow: people
 * who were forgotten since have left their places in it, and the next page begins after these.
 */
function storedResults(stored: GatewayAnswer, size: number): number {
  if (stored.kind !== 'found') return 0;
  const hasMore = pageEnd(stored, size).pagination?.has_more === true;
  return stored.isCut || hasMore ? size : recordsIn(stored).length;
}

/** Uses the client's paging, but with the given function for the requests. */
function requestPages(
  search: Search,
  maxResults: number,
  ask: (page: { readonly question: Question; readonly size: number }) => Promise<ReturnType<typeof pageEnd>>,
): AsyncIterable<unknown> {
  return pagesOf({
    operation: search.operation,
    maxResults,
    ask: (page, size) => ask({ question: pageQuestion(search, page), size }),
  });
}

function pageEnd(answered: GatewayAnswer | undefined, results: number) {
  const pagination = answered?.kind === 'found' ? groupIn(answered.record['pagination']) : undefined;
  const hasMore = answered?.kind === 'no-match' ? false : pagination?.['has_more'];
  return { results, ...(typeof hasMore === 'boolean' && { pagination: { has_more: hasMore } }) };
}

export function recordsIn(answered: GatewayAnswer & { kind: 'found' }): DataRecord[] {
  const data = answered.record['data'];
  return Array.isArray(data) ? data.flatMap<DataRecord>((item: unknown) => groupIn(item) ?? []) : [];
}

function groupIn(value: unknown): DataRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function searchSheet(
  { stack }: CommandRun,
  { operation }: Search,
  found: Found & { readonly options: SearchOptions; readonly agreedCredits: number },
): Sheet {
  const { pages, stopped, options, agreedCredits } = found;
  const records = pages.flatMap((page) => page.records);
  const stored = pages.filter(({ fromStore }) => fromStore);
  const isMatch = pages.some((page) => page.isMatch);
  const isCut = pages.some((page) => page.isCut);
  const credits = pages.reduce((sum, page) => sum + page.credits, 0);
  const cost = `Cost: ${counted(credits, 'credit')}`;
  // A page can have more results than requested.
  const overcharged = Math.max(0, credits - agreedCredits);
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
      error: stopped && errorJson(stopped, stack),
    },
    body: [recordTable(records, CHOSEN_COLUMNS[LOOKUPS[operation].about], options)],
    notes: [
      isMatch ? `${counted(resultsOf(pages), 'result')}. ${cost}${fromStore}.` : `No match. ${cost}.`,
      isCut && CUT_NOTE,
    ],
    warnings: [
      overcharged > 0 &&
        wording`The data service charged ${counted(overcharged, 'credit')} more than you agreed to. This stops further lookups, see: ${command('spend')}`,
      stopped?.wording,
    ],
    exit: overcharged > 0 ? EXIT.failed : (stopped?.exit ?? (isMatch ? EXIT.ok : EXIT.notFound)),
  };
}

function resultsOf(pages: readonly DeliveredPage[]): number {
  return pages.reduce((sum, { records }) => sum + records.length, 0);
}
