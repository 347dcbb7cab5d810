import { Option } from 'commander';
import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import {
  type Backfill,
  backfillKind,
  beginSorting,
  newBackfill,
  type RecordIdPage,
  sortPage,
  summaryOf,
} from '#shared/enrichment';
import { command, wording } from '#shared/kernel';
import type { Connection } from '../../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { CliError, usageError } from '../../terminal/exit.ts';
import { RefusedValue } from '../../terminal/refusals.ts';
import type { Sheet } from '../../terminal/sheet.ts';
import { enrichmentServices } from '../records/record-plan.ts';
import { type IdsOfFile, readIdsFile, rowFaultWords } from './ids-file.ts';
import { quoteLines } from './words.ts';

type QuoteOptions = CommandOptions & {
  readonly objects?: ObjectType;
  readonly where?: readonly Filter[];
  readonly ids?: string;
  readonly resume?: string;
};

interface Filter {
  readonly property: string;
  readonly value: string;
}

/** Page size of HubSpot's batch read. */
const PAGE = 100;

export function addQuote(backfill: SheetCommand): void {
  backfill
    .command('quote')
    .description('show what enriching existing records would cost; no lookups, no writes')
    .addOption(new Option('--objects <type>', 'which records').choices(OBJECT_TYPES))
    .option('--where <filter...>', 'only records with property=value; several must all hold', filterOf)
    .option(
      '--ids <file>',
      'only records whose ids are in a CSV file, in the column "Record ID" or the first',
    )
    .option('--resume <id>', 'continue an interrupted quote')
    .yes('agree to leave out rows of the file without an id')
    .example('--objects contacts --where city=Lyon')
    .sheet(quote);
}

function filterOf(given: string, before: readonly Filter[] = []): readonly Filter[] {
  const match = /^([a-z0-9_]+)=(.+)$/.exec(given);
  if (!match) throw new RefusedValue('not-a-filter', {});
  const [, property = '', value = ''] = match;
  return [...before, { property, value }];
}

async function quote(run: CommandRun, options: QuoteOptions): Promise<Sheet> {
  const connection = await run.connect();
  const resumed = options.resume === undefined ? undefined : await resume(connection, options.resume);
  const objectType = resumed?.scope.objectType ?? options.objects;
  if (!objectType) throw usageError('Say which records: --objects contacts, or --objects companies.');
  // A file that cannot be used leaves no quote behind.
  const file =
    options.ids === undefined ? undefined : await agreedIds(run, connection, options.ids, objectType);
  const begun = resumed ?? (await begin(connection, { ...options, objects: objectType }));
  const pages = file === undefined ? pagesOf(connection) : pagesOfFile(file);
  const again = options.ids === undefined ? '' : ` --ids "${options.ids}"`;
  run.resumesWith(command(`backfill quote --resume ${begun.id}${again}`));
  const backfill = await sortAll(run, connection, { begun, pages });
  return {
    json: {
      ...summaryOf(backfill),
      ...detailsOf(backfill),
      ...(file && { rows: file.rows, rowsWithoutId: file.withoutId }),
    },
    body: await quoteLines(connection, backfill),
  };
}

/** Reads the file of ids, with consent to leave out its rows without one. */
async function agreedIds(
  run: CommandRun,
  connection: Connection,
  path: string,
  objectType: ObjectType,
): Promise<IdsOfFile> {
  const file = await readIdsFile(connection, { path, objectType });
  if (file.withoutId.length > 0) await run.agree(rowFaultWords(file));
  return file;
}

function detailsOf({ strata, leftOut, byRule }: Backfill) {
  const kinds = strata.map(({ name, records, hitCredits, missCredits, maxCredits }) => {
    return { name, records, hitCredits, missCredits, maxCredits };
  });
  return { strata: kinds, leftOut, byRule };
}

async function begin(
  { services, clock, newId, policy }: Connection,
  { objects, where = [], ids }: QuoteOptions & { readonly objects: ObjectType },
): Promise<Backfill> {
  if (ids !== undefined && where.length > 0)
    throw new CliError('--ids and --where exclude each other.', { code: 'ids-and-where' });
  await requireFilterProperties(services, { objectType: objects, where });
  const filters = where.map(({ property, value }) => `${property}=${value}`).join(' and ');
  const words = ids === undefined ? filters || 'all of them' : 'a list of ids';
  const id = newId().replaceAll('-', '').slice(0, 8);
  const scope = { objectType: objects, words, where: [...where] };
  const value = newBackfill(id, { scope, trialSize: policy.backfill, nowMs: clock.now() });
  await services.backfills.write({ key: backfillKind.key(id), value, expectedVersion: undefined });
  return value;
}

/** @throws CliError that names the missing properties */
async function requireFilterProperties(
  { hubSpot }: Pick<Connection['services'], 'hubSpot'>,
  { objectType, where }: { readonly objectType: ObjectType; readonly where: readonly Filter[] },
): Promise<void> {
  if (where.length === 0) return;
  const names = new Set((await hubSpot.listProperties(objectType)).map(({ name }) => name));
  const missing = where.filter(({ property }) => !names.has(property)).map(({ property }) => property);
  if (missing.length > 0)
    throw new CliError(`HubSpot has no property ${missing.join(', ')} of ${objectType}: change --where.`, {
      code: 'no-such-property',
    });
}

async function resume({ services }: Connection, id: string): Promise<Backfill> {
  const stored = await services.backfills.read(backfillKind.key(id));
  if (stored?.value.state === 'quoting') return stored.value;
  throw new CliError(
    stored
      ? wording`The quote ${id} is complete. To see it: ${command(`backfill status ${id}`)}`
      : `There is no quote ${id}.`,
    { code: stored ? 'complete' : 'no-backfill' },
  );
}

interface Begun {
  readonly begun: Backfill;
  readonly pages: Pages;
}

/** Sorts all records by lookup type. Stores the result after each page, so that `--resume` can continue there. */
async function sortAll(run: CommandRun, connection: Connection, { begun, pages }: Begun): Promise<Backfill> {
  const { days } = connection.services;
  const services = { ...connection.services, ...(await enrichmentServices(connection)), days };
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
