import { Option } from 'commander';
import { shownKey } from '#shared/crm';
import { command, counted, wording } from '#shared/kernel';
import { type BookedDoubt, resolveDoubt, type StoredDoubt } from '#shared/questions';
import { ASKER_GRACE_MS } from '#shared/requests';
import { reopenRecord } from '#shared/work-queue';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError, EXIT } from '../terminal/exit.ts';
import { argumentRefusal, moment, noteText } from '../terminal/refusals.ts';
import { type Sheet, tableOf } from '../terminal/sheet.ts';

export function addDoubts(program: SheetCommand): void {
  const doubts = program.command('doubts').description('requests with an unknown outcome: charged or not?');
  doubts
    .command('list')
    .description('list open doubts and doubts booked as charged, oldest first; no personal data')
    .csv()
    .sheet(list);
  doubts
    .command('resolve [doubt]')
    .description('book a doubt as charged or not; give its key or the first letters')
    .option('--all', 'all open doubts, or with --before the older ones')
    .option('--before <time>', 'with --all: sent before this time, such as 2026-11-21T10:00Z', moment)
    .yes('with --all: agree beforehand')
    .addOption(new Option('--charged', 'it was charged: books its full price').conflicts('notCharged'))
    .option('--not-charged', 'it was not charged')
    .requiredOption('--note <text>', 'how you know; kept in the ledger', noteText)
    .example('5e884898 --not-charged --note "on no invoice"')
    .example('--all --charged --note "on the invoice"')
    .sheet(resolve);
}

const COLUMNS = ['since', 'state', 'operation', 'purpose', 'credits', 'questionKey', 'record'] as const;

async function list(run: CommandRun): Promise<Sheet> {
  const { doubts, isMore } = await readDoubts(await run.connect());
  return {
    json: doubts,
    // Keys are not shown in a table, because a cell would cut them. A person must be able to copy them.
    body: doubts.map(
      ({ since, state, operation, purpose, credits, questionKey, record }) =>
        `${questionKey}\n  ${since}  ${operation}  ${purpose}  ${counted(credits, 'credit')}, ${state}${record ? `  ${record}` : ''}`,
    ),
    csv: tableOf(COLUMNS, doubts),
    ...(doubts.length === 0 && { body: ['No doubts.'] }),
    warnings: isMore ? ['These are the oldest doubts booked as charged; resolve some to see the rest.'] : [],
  };
}

/** Open doubts and doubts booked as charged without a proof, oldest first. */
async function readDoubts({ services }: Connection) {
  const [open, booked] = await Promise.all([services.openDoubts(), services.bookedDoubts()]);
  const all = [
    ...open.map(({ record, ...doubt }) => ({
      ...doubtOf(doubt, 'open'),
      record: record && shownKey(record),
    })),
    ...booked.doubts.map((doubt) => ({ ...doubtOf(doubt, 'booked as charged'), record: undefined })),
  ];
  return { doubts: all.toSorted((a, b) => (a.since < b.since ? -1 : 1)), isMore: booked.isMore };
}

function doubtOf(
  { questionKey, operation, purpose, credits, sentAtMs }: StoredDoubt | BookedDoubt,
  state: 'open' | 'booked as charged',
) {
  const since = new Date(sentAtMs).toISOString();
  return { questionKey, operation, purpose, credits, since, state };
}

interface Resolving extends CommandOptions {
  readonly all?: boolean;
  /** Epoch milliseconds. */
  readonly before?: number;
  readonly charged?: boolean;
  readonly notCharged?: boolean;
  readonly note: string;
}

async function resolve(run: CommandRun, options: Resolving, given: string | undefined): Promise<Sheet> {
  const { charged = false, notCharged = false, all = false, note, before } = options;
  if (charged === notCharged)
    throw argumentRefusal('one-of-two', { option: '--charged', other: '--not-charged' });
  if ((given === undefined) !== all)
    throw argumentRefusal('one-of-two', { option: '<doubt>', other: '--all' });
  if (given === undefined) return resolveAll(run, { charged, note }, before);
  if (before !== undefined) throw argumentRefusal('only-with', { option: '--before', other: '--all' });
  return resolveOne(run, { charged, note }, given);
}

interface Ending {
  readonly charged: boolean;
  readonly note: string;
}

/** Ends a doubt. Its record then continues. */
async function endDoubt({ services, clock, newId }: Connection, end: Ending & { questionKey: string }) {
  const resolved = await resolveDoubt(services.questions, end, { graceMs: ASKER_GRACE_MS });
  if (resolved.kind === 'resolved' && resolved.record !== undefined)
    await reopenRecord({ ...services, clock, newId }, resolved.record, 'operator');
  return resolved;
}

async function resolveOne(run: CommandRun, ending: Ending, given: string): Promise<Sheet> {
  const connection = await run.connect();
  const questionKey = await keyOf(given, connection);
  const resolved = await endDoubt(connection, { ...ending, questionKey });
  if (resolved.kind === 'no-doubt') {
    const message = wording`No doubt is open or booked under ${questionKey}; see: ${command('doubts list')}`;
    throw new CliError('no-doubt', message);
  }
  if (resolved.kind === 'too-early') {
    const untilMs = resolved.notBeforeMs;
    const message = `The answer may still come; resolve it after ${new Date(untilMs).toISOString()}.`;
    throw new CliError('too-early', message, { untilMs });
  }
  const { credits, returnedCredits } = resolved;
  return {
    json: { questionKey, resolved: true, credits, returnedCredits },
    body: [
      returnedCredits === undefined
        ? `Resolved: ${counted(credits, 'credit')} booked. The lookup may be repeated.`
        : `Resolved: an adjustment of ${counted(returnedCredits, 'credit')} reverses the charge.`,
    ],
  };
}

/**
 * Finds the full key of a doubt by its first letters. A list, the spend page or an error message can show a cut key.
 * @throws CliError if several doubts match
 */
async function keyOf(given: string, connection: Connection): Promise<string> {
  const start = given.trim().replace(/(?:…|\.\.\.)$/, '');
  if (start === '') return start;
  const open = await connection.services.openDoubts();
  const byId = open.find(({ reservationId }) => reservationId === start);
  const { doubts } = await readDoubts(connection);
  const keys = new Set(doubts.flatMap(({ questionKey: key }) => (key.startsWith(start) ? [key] : [])));
  if (keys.size > 1) throw argumentRefusal('ambiguous-start', { option: '<doubt>', doubts: keys.size });
  return byId?.questionKey ?? [...keys][0] ?? start;
}

/** Resolves open doubts one by one. After an interruption, the same command resolves the remaining doubts. */
async function resolveAll(
  run: CommandRun,
  ending: Ending,
  beforeMs = Number.POSITIVE_INFINITY,
): Promise<Sheet> {
  const connection = await run.connect();
  const doubts = (await connection.services.openDoubts()).filter(({ sentAtMs }) => sentAtMs < beforeMs);
  const worst = doubts.reduce((sum, { credits }) => sum + credits, 0);
  const does = ending.charged ? 'book them as charged' : 'give the credits back';
  if (doubts.length > 0)
    await run.agree(`${counted(doubts.length, 'doubt')} of ${counted(worst, 'credit')} at most: ${does}`);
  const done = { resolved: 0, credits: 0, tooEarly: 0, gone: 0 };
  const show = run.progress({ total: doubts.length, noun: 'doubts' });
  for (const [index, { questionKey }] of doubts.entries()) {
    show(index);
    const resolved = await endDoubt(connection, { ...ending, questionKey });
    if (resolved.kind === 'resolved') done.credits += resolved.credits;
    done[ENDS[resolved.kind]] += 1;
  }
  const { resolved, credits, tooEarly, gone } = done;
  return {
    json: done,
    body: [
      `Resolved: ${counted(resolved, 'doubt')}, ${counted(credits, 'credit')} booked.`,
      tooEarly > 0 &&
        `Left: ${counted(tooEarly, 'doubt')}, because an answer may still come. Run it again later.`,
      gone > 0 && `Resolved meanwhile by others: ${counted(gone, 'doubt')}.`,
    ],
    exit: doubts.length > 0 ? EXIT.ok : EXIT.notFound,
  };
}

const ENDS = { resolved: 'resolved', 'too-early': 'tooEarly', 'no-doubt': 'gone' } as const;
