import { Command, Option } from 'commander';
import { counted } from '#shared/kernel';
import { type BookedDoubt, resolveDoubt, type StoredDoubt } from '#shared/questions';
import { commandFor } from '../../../local/doctor/command-for.ts';
import type { Cli } from '../../cli.ts';
import type { Connection } from '../../connection/connection.ts';
import { example } from '../../terminal/example.ts';
import { CliError, EXIT, usageError } from '../../terminal/exit.ts';
import { moment, noteText } from '../../terminal/option-values.ts';
import { type OutputOptions, printJson, printSheet, withCsv, withJson } from '../../terminal/output.ts';
import { resolveAll } from './resolve-all.ts';

/** `doubts list|resolve`: requests that were sent and never answered. */
export function doubtsCommand(cli: Cli): Command {
  const doubts = new Command('doubts').description('requests without an answer: charged or not?');
  withCsv(
    doubts
      .command('list')
      .description('doubts that are open or booked as charged, oldest first; no personal data'),
  )
    .addHelpText('after', example('doubts list'))
    .action((options: OutputOptions) => list(cli, options));
  withJson(
    doubts
      .command('resolve [doubt]')
      .description('say what the data service charged for one, by its key or the first letters of it'),
  )
    .addOption(new Option('--all', 'all open doubts, or those from before a time'))
    .addOption(
      new Option(
        '--before <time>',
        'with --all: only requests before this time, such as 2026-11-21T10:00Z',
      ).argParser(moment),
    )
    .option('-y, --yes', 'with --all: agree beforehand')
    .addOption(new Option('--charged', 'it was charged: book its full price').conflicts('notCharged'))
    .option('--not-charged', 'it was not charged')
    .requiredOption('--note <text>', 'how this is known; goes into the ledger', noteText)
    .addHelpText('after', example('doubts resolve 5e884898 --not-charged --note "on no invoice"'))
    .addHelpText('after', example('doubts resolve --all --charged --note "on the invoice"'))
    .action((key: string | undefined, options: Resolving) => resolve(cli, key, options));
  return doubts;
}

async function list(cli: Cli, options: OutputOptions): Promise<void> {
  await cli.connected(async (connection) => {
    const { doubts, isMore } = await readDoubts(connection);
    if (options.json) return printJson(cli.io, doubts);
    if (doubts.length === 0 && !options.csv) return cli.io.out('No doubts.\n');
    const columns = ['since', 'state', 'operation', 'purpose', 'credits', 'questionKey'] as const;
    const rows = doubts.map((doubt) => columns.map((column) => String(doubt[column])));
    // A key is there to be copied, and is as long as a cell may not be.
    if (options.csv) printSheet(cli.io, { columns, rows }, options);
    else
      for (const { since, state, operation, purpose, credits, questionKey } of doubts)
        cli.io.out(
          `${questionKey}\n  ${since}  ${operation}  ${purpose}  ${counted(credits, 'credit')}, ${state}\n`,
        );
    if (isMore)
      cli.io.err('These are the oldest that were booked as charged; settle some to see the rest.\n');
  });
}

/** Open doubts, and those that were booked as charged without a proof. Oldest first. */
export async function readDoubts({ services }: Connection) {
  const [open, booked] = await Promise.all([services.openDoubts(), services.bookedDoubts()]);
  const all = [
    ...open.map((doubt) => doubtOf(doubt, 'open')),
    ...booked.doubts.map((doubt) => doubtOf(doubt, 'booked as charged')),
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

interface Resolving extends OutputOptions {
  readonly all?: boolean;
  readonly before?: number;
  readonly yes?: boolean;
  readonly charged?: boolean;
  readonly notCharged?: boolean;
  readonly note: string;
}

async function resolve(cli: Cli, given: string | undefined, options: Resolving): Promise<void> {
  const charged = options.charged ?? false;
  if (charged === (options.notCharged ?? false)) throw usageError('Say either --charged or --not-charged.');
  if ((given === undefined) !== (options.all ?? false)) throw usageError('Name one doubt, or say --all.');
  if (given === undefined) return resolveAll(cli, { ...options, charged });
  if (options.before !== undefined) throw usageError('--before is an option of --all.');
  await resolveOne(cli, given, { ...options, charged });
}

async function resolveOne(cli: Cli, given: string, options: Resolving & { charged: boolean }): Promise<void> {
  const { charged } = options;
  await cli.connected(async (connection) => {
    const { services, askerGraceMs: graceMs } = connection;
    const questionKey = await keyOf(given, connection);
    const resolution = { questionKey, charged, note: options.note };
    const resolved = await resolveDoubt(services.questions, resolution, { graceMs });
    if (resolved.kind === 'no-doubt') {
      const list = commandFor(connection, 'doubts list');
      const message = `No doubt is open or booked under ${questionKey}; see: ${list}`;
      throw new CliError(message, { exit: EXIT.notFound, code: 'no-doubt' });
    }
    if (resolved.kind === 'too-early') throw tooEarly(resolved.notBeforeMs);
    const { credits, returnedCredits } = resolved;
    if (options.json) printJson(cli.io, { questionKey, resolved: true, credits, returnedCredits });
    else if (returnedCredits !== undefined)
      cli.io.out(`Resolved: an adjustment of ${counted(returnedCredits, 'credit')} takes the charge back.\n`);
    else cli.io.out(`Resolved: ${counted(credits, 'credit')} booked. The question may be asked again.\n`);
  });
}

/** As a list, the spend page or an error showed it, also cut short. @throws CliError where several fit */
async function keyOf(given: string, connection: Connection): Promise<string> {
  const start = given.trim().replace(/(?:…|\.\.\.)$/, '');
  if (start === '') return start;
  const open = await connection.services.openDoubts();
  const byId = open.find(({ reservationId }) => reservationId === start);
  const { doubts } = await readDoubts(connection);
  const keys = new Set(doubts.flatMap(({ questionKey: key }) => (key.startsWith(start) ? [key] : [])));
  if (keys.size > 1) throw usageError(`Several doubts begin with ${start}: give more letters.`);
  return byId?.questionKey ?? [...keys][0] ?? start;
}

function tooEarly(untilMs: number): CliError {
  const message = `The answer may still come; resolve it after ${new Date(untilMs).toISOString()}.`;
  return new CliError(message, { exit: EXIT.refused, code: 'too-early', untilMs });
}
