import { Command, Option } from 'commander';
import { counted } from '#shared/kernel';
import type { Cli } from '../../cli.ts';
import { consent } from '../../terminal/consent.ts';
import { example } from '../../terminal/example.ts';
import { CliError, EXIT, errorJson } from '../../terminal/exit.ts';
import { wholeNumber } from '../../terminal/option-values.ts';
import { printJson, printRecords } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import { CHOSEN_COLUMNS } from '../../terminal/record-fields.ts';
import { type AskOptions, waitMsOf, withAskOptions } from './ask-options.ts';
import { createAsker } from './asker.ts';
import { basePrice, searchPriceLine } from './price-line.ts';
import { SEARCH_KINDS, type SearchKind, searchOf } from './search-kinds.ts';
import { type DeliveredPage, quoteOf, searchPages } from './search-pages.ts';
import type { Search } from './search-question.ts';

/** `search people|companies|employees`: paid by the result, and never more results than `--max`. */
export function searchCommand(cli: Cli): Command {
  const search = new Command('search').description('ask for lists of people or companies');
  const add = (name: keyof typeof SEARCH_KINDS, about: string, words: string) => {
    const kind: SearchKind = SEARCH_KINDS[name];
    const price = basePrice(kind.operation);
    const command = search.command(name).description(`${about}: ${price} a result`);
    addOptions(command, kind)
      .addHelpText('after', example(`search ${name} ${words}`))
      .action((options: SearchOptions) => answer(cli, searchOf(kind, options), options));
  };
  add('people', 'people by any of the filters', '--roles-count engineer=10..50 --max 20');
  add('companies', 'companies by any of the filters', '--industry Software --max 50 --csv');
  add('employees', 'people of one company', '--domain acme.example --max 25');
  return search;
}

type SearchOptions = AskOptions & { readonly max: number } & Readonly<Record<string, unknown>>;

function addOptions(command: Command, { filters, additions }: SearchKind): Command {
  command.optionsGroup('Filters:');
  for (const [, option] of filters) command.addOption(option);
  command.optionsGroup('Paid additions:');
  for (const [, option] of additions) command.addOption(option);
  const max = new Option('--max <number>', 'how many results may be paid for').argParser(wholeNumber(1));
  return withAskOptions(command.optionsGroup('Options:').addOption(max.makeOptionMandatory()));
}

async function answer(cli: Cli, search: Search, options: SearchOptions): Promise<void> {
  const { io } = cli;
  const maxResults = options.max;
  await cli.connected(async (connection) => {
    const asker = createAsker(connection, { io, waitMs: waitMsOf(options) });
    const credits = await quoteOf(asker, search, maxResults);
    if (credits > 0) {
      const price = await searchPriceLine(connection, search, { credits, maxResults });
      await consent(io, { question: price, yes: options.yes ?? false });
    }
    const progress = createProgress(io, { total: maxResults, noun: 'results' });
    const found = await collect(
      searchPages(asker, search, { maxResults, maxCredits: credits }),
      progress.update,
    );
    progress.end();
    print(cli, { search, found, options });
  });
}

interface Found {
  readonly pages: readonly DeliveredPage[];
  /** Why there are no more pages than these, though there may be more results. */
  readonly stopped?: CliError;
}

/** What was paid for is never thrown away: a refusal in the middle ends the list, and is told after it. */
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

interface Shown {
  readonly search: Search;
  readonly found: Found;
  readonly options: SearchOptions;
}

function print(cli: Cli, { search, found, options }: Shown): void {
  const { io } = cli;
  const { pages, stopped } = found;
  const records = pages.flatMap((page) => page.records);
  if (options.json) printJson(io, searchJson(search, found));
  else {
    printRecords(io, { records, chosen: CHOSEN_COLUMNS[search.operation] }, options);
    (options.csv ? io.err : io.out)(`${costLine(pages)}\n`);
  }
  if (stopped) {
    io.err(`${stopped.message}\n`);
    cli.end(stopped.exit);
  } else if (!isMatch(pages)) cli.end(EXIT.notFound);
}

function searchJson({ operation }: Search, { pages, stopped }: Found): unknown {
  const fresh = pages.filter(({ fromStore }) => !fromStore);
  return {
    operation,
    records: pages.flatMap((page) => page.records),
    credits: creditsOf(pages),
    fromStore: fresh.length === 0,
    recordsFromStore: resultsOf(pages) - resultsOf(fresh),
    found: isMatch(pages),
    complete: stopped === undefined,
    ...(stopped && { error: errorJson(stopped) }),
  };
}

function costLine(pages: readonly DeliveredPage[]): string {
  const stored = resultsOf(pages.filter(({ fromStore }) => fromStore));
  if (!isMatch(pages)) return `No match. Cost: ${counted(creditsOf(pages), 'credit')}.`;
  const fromStore = stored > 0 ? `; ${counted(stored, 'result')} from the store` : '';
  return `${counted(resultsOf(pages), 'result')}. Cost: ${counted(creditsOf(pages), 'credit')}${fromStore}.`;
}

function isMatch(pages: readonly DeliveredPage[]): boolean {
  return pages.some((page) => page.isMatch);
}

function creditsOf(pages: readonly DeliveredPage[]): number {
  return pages.reduce((sum, { credits }) => sum + credits, 0);
}

function resultsOf(pages: readonly DeliveredPage[]): number {
  return pages.reduce((sum, { records }) => sum + records.length, 0);
}
