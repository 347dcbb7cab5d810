import { askerWords, LANES, type RecordName, recordKey } from '#shared/crm';
import { TAKE_BACK_REPLIES } from '#shared/extensions/take-back';
import { command, counted, inChunks, SECOND_MS } from '#shared/kernel';
import {
  backfillRunOf,
  historyOf,
  type JournalEntry,
  livingState,
  type RecordState,
  recordKind,
} from '#shared/records';
import {
  type BulkWriter,
  inFlightWords,
  type UndoReport,
  type UndoResult,
  undoRecords,
} from '#shared/take-back';
import { WORKER_TIMEOUT_MS } from '../../local/system.ts';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError, EXIT, usageError } from '../terminal/exit.ts';
import { moment, text, wholeNumber } from '../terminal/refusals.ts';
import type { Sheet } from '../terminal/sheet.ts';
import { enrichmentServices } from './enrich.ts';
import { findRecord } from './find-record.ts';
import { addRemovals } from './take-back-removals.ts';

interface UndoOptions extends CommandOptions {
  readonly run?: number;
  readonly property?: string;
  readonly from?: number;
  readonly to?: number;
  readonly backfill?: string;
  readonly apply?: string;
  readonly dryRun?: boolean;
}

/** Adds what takes our values back: `undo`, and what empties them for good. */
export function addTakeBack(program: SheetCommand): void {
  addRemovals(program);
  program
    .command('undo [record]')
    .description('restore the values from before our writes; later changes by people stay')
    .option('--run <n>', 'only this run of the record, as numbered by explain', wholeNumber(1))
    .option('--property <name>', 'only this property')
    .option('--from <time>', 'all records written from this time, such as 2026-11-21T09:00Z', moment)
    .option('--to <time>', 'until this time (default: now)', moment)
    .option('--backfill <id>', 'everything that this backfill wrote', text)
    .option('--apply <id>', 'everything that this policy apply wrote', text)
    .option('--dry-run', 'show what would be restored; change nothing')
    .yes('agree beforehand')
    .example('contacts/123 --property jobtitle --dry-run')
    .sheet(undo);
}

interface Chosen {
  readonly name: RecordName;
  readonly isChosen: (entry: JournalEntry) => boolean;
}

type Undone = { readonly record: string; readonly refused?: Extract<UndoResult, string> } & UndoReport;

async function undo(run: CommandRun, options: UndoOptions, words: string | undefined): Promise<Sheet> {
  const connection = await run.connect();
  let { chosen, writerIds } = await choose(connection, words, options);
  const running = await stillWriting(connection, writerIds);
  const first = running
    .map(({ writer, id }) => `${writer.noun} ${id} is still running, and will first be stopped for good. `)
    .join('');
  let isWhole = true;
  if (!options.dryRun && (chosen.length > 0 || running.length > 0)) {
    await run.agree(`${first}Our values in ${counted(chosen.length, 'record')} will be undone`);
    if (running.length > 0) {
      isWhole = await stopAll(run, connection, running);
      ({ chosen } = await choose(connection, words, options));
    }
  } else if (first) run.say(first);
  if (chosen.length === 0) throw nothingToUndo();
  if (words === undefined && !options.dryRun) run.resumesWith(command(resumeCommand(connection, options)));
  const undone = await undoAll(run, connection, { chosen, options });
  const [only] = undone;
  const isNothing = only && !only.refused && only.restored.length + only.kept.length === 0;
  const [one] = chosen;
  if (words !== undefined && one && isNothing) throw nothingToUndo(await lastUndo(connection, one.name));
  const isDone = isWhole && !undone.some(({ refused }) => refused);
  return { ...undoneSheet(undone, options.dryRun ?? false), exit: isDone ? EXIT.ok : EXIT.refused };
}

/** @param last the undo before, if there was one. */
function nothingToUndo(last?: JournalEntry): CliError {
  const message = 'There is no write to undo.';
  if (!last) return new CliError('nothing-to-undo', message);
  const { askedBy: by, atMs } = last;
  const at = new Date(atMs).toISOString();
  const who = by === undefined ? '' : ` by ${askerWords(by)}`;
  return new CliError('nothing-to-undo', `${message} The last undo was${who} at ${at}.`, {
    params: { by, at },
  });
}

async function lastUndo({ services }: Connection, name: RecordName): Promise<JournalEntry | undefined> {
  const entries = await historyOf(services, await livingState(services, name));
  return entries.findLast(({ kind }) => kind === 'undo');
}

async function choose(
  connection: Connection,
  words: string | undefined,
  options: UndoOptions,
): Promise<{ readonly chosen: readonly Chosen[]; readonly writerIds: readonly string[] }> {
  const { run, property, to } = options;
  const named = options.backfill ?? options.apply;
  const from = named === undefined ? options.from : await startTimeOf(connection, options);
  if (words !== undefined) {
    const name = await findRecord(connection, words);
    await requireWritten(connection, name, { run, property });
    const toMs = to ?? Number.POSITIVE_INFINITY;
    const isChosen = (entry: JournalEntry) =>
      (run === undefined || (entry.run === run && entry.id === name.id)) &&
      (named === undefined || entry.backfillId === named) &&
      entry.atMs >= (from ?? 0) &&
      entry.atMs <= toMs;
    return { chosen: [{ name, isChosen }], writerIds: [] };
  }
  if (from === undefined)
    throw usageError(
      'Give a record, or --from for all records written since then, or --backfill or --apply.',
    );
  if (run !== undefined)
    throw new CliError('run-without-record', '--run is a run of one record: give the record too.');
  const window = { fromMs: from, toMs: to ?? connection.clock.now() };
  const isNamed = ({ backfillId }: JournalEntry) => named === undefined || backfillId === named;
  const entries = (await connection.services.journal.between(window)).filter(isNamed);
  const written = new Map(entries.map((entry) => [recordKey(entry), entry]));
  // Removes duplicates, because several records can have been merged into one.
  const names = new Map<string, RecordName>();
  for (const group of inChunks([...written.values()], GROUP_SIZE)) {
    const living = await Promise.all(group.map((each) => livingState(connection.services, each)));
    for (const { objectType, id } of living) names.set(recordKey({ objectType, id }), { objectType, id });
  }
  const isChosen = (entry: JournalEntry) =>
    entry.atMs >= window.fromMs && entry.atMs <= window.toMs && isNamed(entry);
  const writerIds = new Set(entries.flatMap(({ backfillId }) => backfillId ?? []));
  if (named !== undefined) writerIds.add(named);
  return {
    chosen: [...names.values()].map((name) => ({ name, isChosen })),
    writerIds: [...writerIds],
  };
}

/** @throws CliError if no backfill or apply has the given id. */
async function startTimeOf({ services }: Connection, options: UndoOptions): Promise<number | undefined> {
  for (const { option, noun, find } of services.bulkWriters) {
    const id = options[option];
    if (id === undefined) continue;
    const found = await find(id);
    if (found) return found.startMs;
    throw new CliError(`no-${option}`, `There is no ${noun.toLowerCase()} ${id}.`);
  }
  return undefined;
}

/**
 * Checks that the record's journal has the run or property, to find typing errors.
 * @throws CliError that names the missing one
 */
async function requireWritten(
  { services }: Connection,
  name: RecordName,
  { run, property }: { run: number | undefined; property: string | undefined },
): Promise<void> {
  const entries = await historyOf(services, await livingState(services, name));
  const runs = entries.filter(({ id }) => id === name.id).map((entry) => entry.run);
  const properties = entries.flatMap(({ changes }) => changes.map((change) => change.property));
  if (entries.length === 0) throw nothingToUndo();
  const isUnknown = run !== undefined && !runs.includes(run);
  if (!isUnknown && (property === undefined || properties.includes(property))) return;
  const missing = isUnknown ? `run ${run}` : property;
  const known = isUnknown
    ? `runs ${[...new Set(runs)].join(', ')}`
    : [...new Set(properties)].sort().join(', ');
  const message = `${missing} of ${name.objectType}/${name.id} is not in its journal. The journal has: ${known}.`;
  throw new CliError(isUnknown ? 'no-run' : 'no-property', message);
}

/** Command that continues an interrupted undo. It recognises restored values and does not write them again. */
function resumeCommand({ clock }: Connection, { from, to, backfill, apply, property }: UndoOptions): string {
  const isoTime = (ms: number) => new Date(ms).toISOString();
  return [
    'undo',
    ...(from === undefined ? [] : [`--from ${isoTime(from)}`]),
    `--to ${isoTime(to ?? clock.now())}`,
    ...(backfill === undefined ? [] : [`--backfill ${backfill}`]),
    ...(apply === undefined ? [] : [`--apply ${apply}`]),
    ...(property === undefined ? [] : [`--property ${property}`]),
  ].join(' ');
}

/** HubSpot returns the history of at most 50 records in one request. */
const GROUP_SIZE = 50;

async function undoAll(
  run: CommandRun,
  connection: Connection,
  { chosen, options }: { chosen: readonly Chosen[]; options: UndoOptions },
): Promise<readonly Undone[]> {
  const { property, dryRun } = options;
  const services = await enrichmentServices(connection);
  const undone: Undone[] = [];
  const show = run.progress({ total: chosen.length, noun: 'records' });
  for (const [objectType, ofType] of Map.groupBy(chosen, ({ name }) => name.objectType)) {
    for (const group of inChunks(ofType, GROUP_SIZE)) {
      show(undone.length);
      const requests = group.map(({ name: { id }, isChosen }) => ({
        id,
        isChosen,
        property,
        askedBy: 'operator',
      }));
      const results = await undoRecords(services, { objectType, requests, dryRun });
      undone.push(
        ...results.map((result, index): Undone => {
          const { id = '' } = requests[index] ?? {};
          if (typeof result === 'string')
            return { record: `${objectType}/${id}`, refused: result, restored: [], kept: [] };
          const { mergedInto = id, ...report } = result;
          return { record: `${objectType}/${mergedInto}`, ...report };
        }),
      );
    }
  }
  return undone;
}

function undoneSheet(undone: readonly Undone[], dryRun: boolean): Sheet {
  const rows = undone.flatMap(({ record, refused, restored, kept }) => [
    ...(refused ? [[record, '', '', '', TAKE_BACK_REPLIES[`undo-${refused}`]]] : []),
    ...restored.map(({ property, from, to }) => [
      ...[record, property, from, to ?? '(empty)'],
      `${dryRun ? 'would be ' : ''}${to === null ? 'emptied' : 'restored'}`,
    ]),
    ...kept.map(({ property, reason }) => [record, property, '', '', `kept: ${reason}`]),
  ]);
  const columns = ['record', 'property', 'from', 'to', 'what'];
  return {
    json: { dryRun, records: undone },
    body: [{ columns, rows, empty: 'None of our values is left to undo.' }],
  };
}

/** A backfill or a policy apply that could still write during an undo. */
interface StillWriting {
  readonly writer: BulkWriter;
  readonly id: string;
}

async function stillWriting(
  { services }: Connection,
  ids: readonly string[],
): Promise<readonly StillWriting[]> {
  const found: StillWriting[] = [];
  for (const id of ids)
    for (const writer of services.bulkWriters) {
      if ((await writer.find(id))?.isWriting) found.push({ writer, id });
    }
  return found;
}

/**
 * Stops the writers, and waits until the workers have written their records. The undo then finds all writes in the
 * journal.
 * @returns whether all records are written.
 */
async function stopAll(
  run: CommandRun,
  connection: Connection,
  writing: readonly StillWriting[],
): Promise<boolean> {
  let isWhole = true;
  for (const { writer, id } of writing) {
    const inFlight = await writer.stop(id);
    run.say(`${writer.noun} ${id} is stopped.${inFlight ? ` ${inFlightWords(inFlight)}` : ''}`);
    const left = await waitUntilWritten(connection, { id, signal: run.signal });
    if (left === 0) continue;
    run.say(`${counted(left, 'record')} may still be written. Run this undo again in some minutes.`);
    isWhole = false;
  }
  return isWhole;
}

const POLL_MS = SECOND_MS;

/**
 * Waits until no worker has a record of a stopped backfill or policy apply.
 * @returns the number of records that workers still have when the wait ends.
 */
async function waitUntilWritten(
  { services, clock }: Connection,
  { id, signal }: { id: string; signal: AbortSignal | undefined },
): Promise<number> {
  const endsAtMs = clock.now() + WORKER_TIMEOUT_MS;
  for (;;) {
    const running = await recordsOf(services, { id, place: 'running' });
    const claimed = running.filter(({ claim }) => (claim?.untilMs ?? 0) > clock.now());
    if (claimed.length > 0 && clock.now() < endsAtMs) {
      signal?.throwIfAborted();
      await clock.sleep(POLL_MS);
      continue;
    }
    const waiting = await recordsOf(services, { id, place: 'waiting' });
    return claimed.length + waiting.filter(({ run }) => run?.answeredQuestion !== undefined).length;
  }
}

async function recordsOf(
  { records }: Connection['services'],
  { id, place }: { id: string; place: 'running' | 'waiting' },
): Promise<readonly RecordState[]> {
  const lists = await Promise.all(
    LANES.map((lane) => records.list({ partition: recordKind.partition(`${place}-${lane}`) })),
  );
  return lists.flat().filter((state) => state.run && backfillRunOf(state, state.run.id)?.id === id);
}
