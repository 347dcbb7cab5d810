import { Option } from 'commander';
import { command, counted, type Wording, wording } from '#shared/kernel';
import { LOOKUPS } from '#shared/questions';
import type { SearchOperation } from '#shared/vendor';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { CliError, EXIT, errorJson } from '../../terminal/exit.ts';
import { wholeNumber } from '../../terminal/option-values.ts';
import { CHOSEN_COLUMNS } from '../../terminal/record-fields.ts';
import { recordTable, type Sheet } from '../../terminal/sheet.ts';
import { type WaitOptions, waitMsOf, withAskOptions } from './ask-options.ts';
import { CUT_NOTE, createAsker } from './asker.ts';
import { type OperationOptions, operationOptions } from './operation-options.ts';
import { basePrice, searchPriceLine } from './price-line.ts';
import type { DeliveredPage } from './search-pages.ts';
import { quoteOf, searchPages } from './search-pages.ts';
import { type Search, searchOf } from './search-question.ts';

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
      ...(isCut ? [CUT_NOTE] : []),
    ],
    warnings: [...(overcharge ? [overcharge] : []), ...(stopped ? [stopped.wording] : [])],
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
