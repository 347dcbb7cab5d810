import { readFile } from 'node:fs/promises';
import { Option } from 'commander';
import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import {
  type Backfill,
  backfillItems,
  backfillKind,
  beginSorting,
  daysLeft,
  newBackfill,
  type RecordIdPage,
  type Stratum,
  sortPage,
  summaryOf,
  trialWords,
} from '#shared/extensions/backfill';
import { command, counted, dayOf, figure, instant, percent, wording } from '#shared/kernel';
import { type CsvRow, headingKey, readCsv } from '#shared/kernel/adapters';
import { type BackfillSummary, limitWords, recentMatchRate } from '#shared/spend';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError, usageError } from '../terminal/exit.ts';
import { propertyFilter, repeated } from '../terminal/refusals.ts';
import type { Lines, Sheet } from '../terminal/sheet.ts';
import { enrichmentServices } from './enrich.ts';
import { nameRecord } from './find-record.ts';

type QuoteOptions = CommandOptions & {
  readonly objects?: ObjectType;
  readonly where?: readonly ReturnType<typeof propertyFilter>[];
  readonly ids?: string;
  readonly resume?: string;
};

const PAGE = 100;

export function addQuote(backfill: SheetCommand): void {
  backfill
    .command('quote')
    .description('show what enriching existing records would cost; no lookups, no writes')
    .addOption(new Option('--objects <type>', 'which records').choices(OBJECT_TYPES))
    .option(
      '--where <filter...>',
      'only records with property=value; several must all hold',
      repeated(propertyFilter),
    )
    .option(
      '--ids <file>',
      'only records whose ids are in a CSV file, in the column "Record ID" or the first',
    )
    .option('--resume <id>', 'continue an interrupted quote')
    .yes('agree to leave out rows of the file without an id')
    .example('--objects contacts --where city=Lyon')
    .sheet(quote);
}

async function quote(run: CommandRun, options: QuoteOptions): Promise<Sheet> {
  const connection = await run.connect();
  const resumed = options.resume === undefined ? undefined : await resume(connection, options.resume);
  const objectType = resumed?.scope.objectType ?? options.objects;
  if (!objectType) throw usageError('Say which records: --objects contacts, or --objects companies.');
  // A file that cannot be used leaves no quote behind.
  const file =
    options.ids === undefined ? undefined : await readIdsFile(connection, { path: options.ids, objectType });
  if (file && file.withoutId.length > 0) await run.agree(rowFaultWords(file));
  const begun = resumed ?? (await begin(connection, { ...options, objects: objectType }));
  const pages = file === undefined ? pagesOf(connection) : pagesOfFile(file);
  const again = options.ids === undefined ? '' : ` --ids "${options.ids}"`;
  run.resumesWith(command(`backfill quote --resume ${begun.id}${again}`));
  const backfill = await sortAll(run, connection, { begun, pages });
  return {
    json: {
      ...summaryOf(backfill),
      ...(await coverOf(connection, backfill)),
      strata: backfill.strata.map(({ name, records, hitCredits, missCredits, maxCredits }) => {
        return { name, records, hitCredits, missCredits, maxCredits };
      }),
      leftOut: backfill.leftOut,
      byRule: backfill.byRule,
      ...(file && { rows: file.rows, rowsWithoutId: file.withoutId }),
    },
    body: await quoteLines(connection, backfill),
  };
}

async function begin(
  { services, clock, newId, policy }: Connection,
  { objects, where = [], ids }: QuoteOptions & { readonly objects: ObjectType },
): Promise<Backfill> {
  if (ids !== undefined && where.length > 0)
    throw new CliError('ids-and-where', '--ids and --where exclude each other.');
  await requireFilterProperties(services, { objectType: objects, where });
  const filters = where.map(({ property, value }) => `${property}=${value}`).join(' and ');
  const words = ids === undefined ? filters || 'all of them' : 'a list of ids';
  const id = newId().replaceAll('-', '').slice(0, 8);
  const isList = ids !== undefined && ({ isList: true } as const);
  const scope = { objectType: objects, words, where: [...where], ...isList };
  const value = newBackfill(id, { scope, trialSize: policy.backfill, nowMs: clock.now() });
  await backfillItems(services).backfills.write({
    key: backfillKind.key(id),
    value,
    expectedVersion: undefined,
  });
  return value;
}

/** @throws CliError that names the missing properties */
async function requireFilterProperties(
  { hubSpot }: Pick<Connection['services'], 'hubSpot'>,
  { objectType, where }: { objectType: ObjectType; where: readonly ReturnType<typeof propertyFilter>[] },
): Promise<void> {
  if (where.length === 0) return;
  const names = new Set((await hubSpot.listProperties(objectType)).map(({ name }) => name));
  const missing = where.filter(({ property }) => !names.has(property)).map(({ property }) => property);
  if (missing.length > 0)
    throw new CliError(
      'no-such-property',
      `HubSpot has no property ${missing.join(', ')} of ${objectType}: change --where.`,
    );
}

async function resume({ services }: Connection, id: string): Promise<Backfill> {
  const stored = await backfillItems(services).backfills.read(backfillKind.key(id));
  if (stored?.value.state === 'quoting') return stored.value;
  throw new CliError(
    stored ? 'complete' : 'no-backfill',
    stored
      ? wording`The quote ${id} is complete. To see it: ${command(`backfill status ${id}`)}`
      : `There is no quote ${id}.`,
  );
}

/** Sorts all records by lookup type. Stores the result after each page, so that `--resume` can continue there. */
async function sortAll(
  run: CommandRun,
  connection: Connection,
  { begun, pages }: { begun: Backfill; pages: Pages },
): Promise<Backfill> {
  const { clock, policy } = connection;
  const { spendBook } = connection.services;
  const items = backfillItems(connection.services);
  const matchRate = () => recentMatchRate(spendBook, dayOf(clock.now(), policy.timeZone));
  const services = { ...items, ...(await enrichmentServices(connection)), matchRate };
  const sorting = await beginSorting(services, begun);
  let backfill = begun;
  const work: { noun: string; total?: number } = { noun: 'records' };
  const show = run.progress(work);
  while (backfill.state === 'quoting') {
    show(backfill.seen);
    const { total, ...page } = await pages(backfill);
    work.total ??= backfill.seen + total;
    backfill = await sortPage(services, { backfill, page, ...sorting });
  }
  return backfill;
}

/** Reads the next page. `total` counts the records of this page and of all later pages. */
type Pages = (backfill: Backfill) => Promise<RecordIdPage & { readonly total: number }>;

function pagesOf({ services }: Connection): Pages {
  return async ({ scope: { objectType, where }, afterId }) => {
    const { ids, total } = await services.crm.list({ objectType, where, afterId, limit: PAGE });
    return { ids, total, afterId: ids.at(-1), isLast: total <= ids.length };
  };
}

function pagesOfFile({ ids }: IdsOfFile): Pages {
  return async ({ afterId }) => {
    const from = afterId === undefined ? 0 : ids.indexOf(afterId) + 1;
    const page = ids.slice(from, from + PAGE);
    const total = ids.length - from;
    return { ids: page, total, afterId: page.at(-1), isLast: total <= PAGE };
  };
}

/** Headings of the column with the record ids, as HubSpot and people write them. */
const ID_HEADINGS: ReadonlySet<string> = new Set([
  ...['recordid', 'hsobjectid', 'objectid', 'id', 'vid', 'recordurl', 'recordlink', 'hubspotid'],
  ...['contactid', 'contactids', 'contactvid', 'recordidcontact', 'contactrecordid'],
  ...['companyid', 'companyids', 'recordidcompany', 'companyrecordid'],
]);

/** Why a row has no id of a record to look up. */
const ROW_FAULTS = {
  empty: 'the id is empty',
  shortened: 'Excel shortened the id: format the column as a number without decimals, and save again',
  'not-an-id': 'the text is no record id',
  'other-type': 'the address is of another type of record',
  'other-account': 'the address is of another HubSpot account',
} as const;

type RowFault = keyof typeof ROW_FAULTS;

interface IdsOfFile {
  /** Each id once, in ascending order. */
  readonly ids: readonly string[];
  readonly rows: number;
  readonly withoutId: readonly { readonly line: number; readonly fault: RowFault }[];
}

/**
 * Reads the ids of the records in a CSV file. The column is found by its heading; without a known heading it is the
 * first one.
 * @throws CliError if the file cannot be read, is damaged, or has no ids.
 */
async function readIdsFile(
  connection: Pick<Connection, 'services'>,
  { path, objectType }: { path: string; objectType: ObjectType },
): Promise<IdsOfFile> {
  const bytes = await readFile(path).catch(() => {
    throw new CliError('file-unreadable', `The file ${path} cannot be read.`);
  });
  const file = readCsv(bytes);
  if (file.kind === 'damaged')
    throw new CliError(
      'file-damaged',
      `Line ${file.line} of ${path}: a quote is never closed, or is within a value. Put the value in quotes, and double each quote in it.`,
      { params: { line: file.line } },
    );
  const { column, rows } = idColumn(file.rows);
  const read = await Promise.all(
    rows.map(async ({ line, fields }) => ({
      line,
      ...(await idIn(connection, { text: fields[column] ?? '', objectType })),
    })),
  );
  const ids = [...new Set(read.flatMap(({ id }) => id ?? []))];
  if (ids.length === 0)
    throw new CliError(
      'no-ids',
      `The file ${path} has no record ids: name the column "Record ID", or make it the first one.`,
    );
  return {
    ids: ids.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)),
    rows: rows.length,
    withoutId: read.flatMap(({ line, fault }) => (fault === undefined ? [] : [{ line, fault }])),
  };
}

const MOST_LINES_NAMED = 10;

/** The rows without an id, for a question of consent. */
function rowFaultWords({ rows, withoutId }: IdsOfFile): string {
  const kinds = [...Map.groupBy(withoutId, ({ fault }) => fault)].map(([fault, those]) => {
    const lines = those.slice(0, MOST_LINES_NAMED).map(({ line }) => line);
    const more = those.length - lines.length;
    const named = `line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return `${named} (${ROW_FAULTS[fault]})`;
  });
  return `${withoutId.length} of ${counted(rows, 'row')} will be left out: ${kinds.join('; ')}`;
}

/** The first row is a heading unless its first field is an id. */
function idColumn(rows: readonly CsvRow[]): { readonly column: number; readonly rows: readonly CsvRow[] } {
  const fields = rows[0]?.fields ?? [];
  const named = fields.findIndex((field) => ID_HEADINGS.has(headingKey(field)));
  if (named >= 0) return { column: named, rows: rows.slice(1) };
  const hasHeading = !/\d/.test(fields[0] ?? '');
  return { column: 0, rows: hasHeading ? rows.slice(1) : rows };
}

async function idIn(
  connection: Pick<Connection, 'services'>,
  { text, objectType }: { text: string; objectType: ObjectType },
): Promise<{ readonly id?: string; readonly fault?: RowFault }> {
  if (text === '') return { fault: 'empty' };
  const number = text.replace(/^'/, '').replace(/\.0+$/, '');
  const id = GROUPED.test(number) ? number.replace(/\D/g, '') : number;
  if (/^\d{1,20}$/.test(id)) return { id };
  if (/^\d+([.,]\d+)?e\+?\d+$/i.test(text)) return { fault: 'shortened' };
  try {
    const named = await nameRecord(connection, text);
    if (!('id' in named)) return { fault: 'not-an-id' };
    return named.objectType === objectType ? { id: named.id } : { fault: 'other-type' };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { fault: error.code === 'other-account' ? 'other-account' : 'not-an-id' };
  }
}

/** A number with separators of thousands. */
const GROUPED = /^\d{1,3}(?:([,.'\u2019 \u00a0\u202f])\d{3})(?:\1\d{3})+$/;

type Quote = NonNullable<BackfillSummary['quote']>;

/** `at most 5,600 credits, expected 3,020 (at the match rate of the last 30 days, 71%)`. */
function costWords({ atMost, expected, matchRate }: Quote): string {
  const most = `at most ${counted(atMost, 'credit')}`;
  if (expected === undefined || matchRate === undefined) return most;
  return `${most}, expected ${figure(expected)} (at the match rate of the last 30 days, ${percent(matchRate)})`;
}

/** Average credits a day that the budgets leave for a backfill, and the days until they have covered it. */
export async function coverOf({ services }: Connection, backfill: Backfill): Promise<Cover> {
  const pace = (await services.ledger.now()).pace({ purpose: 'backfill', amountCredits: 1 });
  return { leftPerDay: pace.leftPerDay, days: daysLeft(summaryOf(backfill), pace) };
}

interface Cover {
  readonly leftPerDay: number;
  readonly days: number | undefined;
}

/** Lines of a quote, at most one screen. */
export async function quoteLines(connection: Connection, backfill: Backfill): Promise<Lines> {
  const { services } = connection;
  const { id, scope, strata, leftOut, byRule = {}, quote, state } = backfill;
  const { seen, records } = summaryOf(backfill);
  const out = byCount(leftOut);
  const ruled = byCount(byRule);
  const rate = await services.ratePerMinute();
  const cover = await coverOf(connection, backfill);
  const [paid, free] = [strata.filter(isPaid), strata.filter((stratum) => !isPaid(stratum))];
  const requests = paid.reduce((sum, each) => sum + each.records, 0);
  const minutes = Math.ceil(requests / rate);
  return [
    `Quote ${id}: ${scope.objectType}, ${scope.words}. ${counted(seen, 'record')} looked at.`,
    '',
    `${figure(requests)} would be looked up${paid.length > 0 ? ':' : '.'}`,
    ...paid.map((stratum) => `  ${figure(stratum.records).padStart(9)}  ${stratumWords(stratum)}`),
    free.length > 0 && `${figure(records - requests)} would use an answer for free:`,
    ...free.map(({ records: count, name }) => `  ${figure(count).padStart(9)}  ${name}`),
    ...(ruled.length > 0 ? ['', 'By rule of the policy:'] : []),
    ...ruled.map(([rule, count]) => `  ${figure(count).padStart(9)}  ${rule}`),
    ...(out.length > 0 ? ['', `${figure(seen - records)} are left out:`] : []),
    ...out.map(([reason, count]) => `  ${figure(count).padStart(9)}  ${reason}`),
    '',
    ...(quote ? [`Cost: ${costWords(quote)}.`, timeWords({ records, quote, minutes, cover })] : []),
    state === 'quoted' && records === 0
      ? 'Nothing to run: no record would be looked up.'
      : state === 'quoted'
        ? wording`Next: ${command(`backfill run ${id}`)}`
        : wording`The quote is incomplete. Continue, with the same --ids if you gave any: ${command(`backfill quote --resume ${id}`)}`,
  ];
}

function byCount(counts: Readonly<Record<string, number>>): [name: string, count: number][] {
  return Object.entries(counts).sort(([, a], [, b]) => b - a);
}

/** Whether a lookup of these records can cost credits. */
function isPaid({ maxCredits }: Stratum): boolean {
  return maxCredits > 0;
}

function stratumWords({ name, hitCredits, missCredits, maxCredits }: Stratum): string {
  if (hitCredits === 0 && missCredits === 0)
    return `${name}: usually free, at most ${counted(maxCredits, 'credit')}`;
  if (hitCredits === missCredits) return `${name}: ${counted(hitCredits, 'credit')} each, found or not`;
  return `${name}: ${counted(hitCredits, 'credit')} if found, ${figure(missCredits)} if not`;
}

function timeWords({
  records,
  quote,
  minutes,
  cover: { leftPerDay, days },
}: {
  records: number;
  quote: Quote;
  minutes: number;
  cover: Cover;
}): string {
  const alone = minutes < 120 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour');
  if (records === 0) return 'Time: none, because no record would be looked up.';
  if (quote.atMost === 0) return 'Time: none, because every answer is stored.';
  const budget =
    days === undefined
      ? 'leads use the whole budget, so raise budgets in the policy'
      : `after the usual use by leads, the budgets leave ${counted(leftPerDay, 'credit')} a day on average: ${counted(days, 'day')}`;
  return `Time: ${alone} of the data service's rate; ${budget}.`;
}

/** Lines of a started backfill. */
export function statusLines(
  summary: BackfillSummary,
  { outstanding }: Pick<Backfill, 'outstanding'>,
  timeZone: string,
): Lines {
  const { id, objectType, scope, state, records, ended, spent, quote, trial, limits = {} } = summary;
  const share = records > 0 ? percent(ended / records) : '100%';
  return [
    `Backfill ${id}: ${objectType}, ${scope}. ${STATES[state]}`,
    `${figure(ended)} of ${counted(records, 'record')} done (${share})${endWords(summary)}. ${counted(spent, 'credit')} charged or in doubt.`,
    // A record's credits are counted only when it ends.
    outstanding.length > 0 &&
      `${counted(outstanding.length, 'record')} started and not done: the cost is added at the end.`,
    ...withoutResultLines(summary),
    quote && `Quoted: ${costWords(quote)}.`,
    trial && trialWords(trial),
    (state === 'approval' || state === 'running') && limitWords(limits),
    ...stopLines(summary, timeZone),
  ];
}

/** `: 28 found (25 filled), 1 not found, 15 not looked up. Match rate: 97%`. */
function endWords(summary: BackfillSummary): string {
  const { ended, hits, filled, misses, others, matchRate } = summary;
  if (ended === 0) return '';
  const rate = matchRate === undefined ? '' : `. Match rate: ${percent(matchRate)}`;
  const other = others > 0 ? [`${figure(others)} ${othersWords(summary)}`] : [];
  return `: ${[`${figure(hits)} found (${figure(filled)} filled)`, `${figure(misses)} not found`, ...other].join(', ')}${rate}`;
}

/** Names failures, unless it is sure that there is none. */
function othersWords({ others, notLookedUp }: BackfillSummary): string {
  return notLookedUp === others ? 'not looked up' : 'not looked up, or failed';
}

/** Lines about records with neither match nor miss: their reasons, and what a person can do. */
function withoutResultLines(summary: BackfillSummary): Lines {
  const { objectType, state, others, withoutResult = {} } = summary;
  if (others === 0) return [];
  const reasons = byCount(withoutResult);
  const unknown = others - reasons.reduce((sum, [, count]) => sum + count, 0);
  const all = unknown > 0 ? [...reasons, ['The reason was not stored.', unknown] as const] : reasons;
  return [
    `${figure(others)} ${others === 1 ? 'was' : 'were'} ${othersWords(summary)}:`,
    ...all.map(([reason, count]) => `  ${figure(count).padStart(9)}  ${reason}`),
    state === 'done' &&
      wording`A new quote shows what they would cost now, or why they are left out: ${command(`backfill quote --objects ${objectType}`)}`,
  ];
}

function stopLines(summary: BackfillSummary, timeZone: string): Lines {
  const { id, pause, holding, state } = summary;
  const examples = pause?.examples.length ? ` For example: ${pause.examples.join(', ')}.` : '';
  const undo = command(`undo --backfill ${id}`);
  return [
    pause && `Paused: ${pause.reason}${examples}`,
    pause &&
      wording`Next: ${command(`backfill resume ${id}`)}, or ${command(`backfill stop ${id}`)}, or ${undo}`,
    holding && `Waiting since ${instant(holding.sinceMs, timeZone)}: ${holding.reason}`,
    state === 'approval' && wording`Next: ${command(`backfill run ${id}`)}`,
    state === 'done' && wording`To undo all of it: ${undo}`,
  ];
}

const STATES: Readonly<Record<BackfillSummary['state'], string>> = {
  quoting: 'Its quote is incomplete.',
  quoted: 'Not started.',
  trial: 'The trial is running.',
  approval: 'The trial is done. It needs your approval.',
  running: 'Running.',
  paused: 'Paused.',
  done: 'Done.',
  stopped: 'Stopped.',
};
