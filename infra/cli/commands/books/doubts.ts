import { Command, Option } from 'commander';
import type { OpenReservation } from '#shared/credit-ledger/schemas.ts';
import { resolveDoubt } from '#shared/questions/resolve-doubt.ts';
import { counted } from '#shared/spend/figures.ts';
import { commandFor } from '../../../local/doctor/command-for.ts';
import type { Cli } from '../../cli.ts';
import { example } from '../../terminal/example.ts';
import { CliError, EXIT, usageError } from '../../terminal/exit.ts';
import { note } from '../../terminal/option-values.ts';
import { type OutputOptions, printJson, printSheet, withCsv, withJson } from '../../terminal/output.ts';

/** `doubts list|resolve`: requests that were sent and never answered. */
export function doubtsCommand(cli: Cli): Command {
  const doubts = new Command('doubts').description('requests without an answer: charged or not?');
  withCsv(doubts.command('list').description('open doubts, oldest first; no personal data'))
    .addHelpText('after', example('doubts list'))
    .action((options: OutputOptions) => list(cli, options));
  withJson(
    doubts
      .command('resolve <doubt>')
      .description('say what the data service charged for one, by its key or the first letters of it'),
  )
    .addOption(new Option('--charged', 'it was charged: book its full price').conflicts('notCharged'))
    .option('--not-charged', 'it was not charged')
    .requiredOption('--note <text>', 'how this is known; goes into the ledger', note)
    .addHelpText('after', example('doubts resolve 5e884898 --not-charged --note "on no invoice"'))
    .action((key: string, options: Resolving) => resolve(cli, key, options));
  return doubts;
}

async function list(cli: Cli, options: OutputOptions): Promise<void> {
  await cli.connected(async ({ services }) => {
    const open = await services.ledger.openReservations();
    const doubts = open.filter(({ state }) => state === 'doubtful').map(doubtOf);
    const oldestFirst = doubts.toSorted((a, b) => (a.since < b.since ? -1 : 1));
    if (options.json) return printJson(cli.io, oldestFirst);
    if (oldestFirst.length === 0 && !options.csv) return cli.io.out('No doubts.\n');
    const columns = ['since', 'operation', 'purpose', 'credits', 'questionKey'] as const;
    const rows = oldestFirst.map((doubt) => columns.map((column) => String(doubt[column])));
    // A key is there to be copied, and is as long as a cell may not be.
    if (options.csv) return printSheet(cli.io, { columns, rows }, options);
    for (const { since, operation, purpose, credits, questionKey } of oldestFirst) {
      cli.io.out(`${questionKey}\n  ${since}  ${operation}  ${purpose}  ${counted(credits, 'credit')}\n`);
    }
  });
}

function doubtOf({ questionKey, operation, purpose, amountCredits, atMs }: OpenReservation) {
  const since = new Date(atMs).toISOString();
  return { questionKey, operation, purpose, credits: amountCredits, since };
}

interface Resolving extends OutputOptions {
  readonly charged?: boolean;
  readonly notCharged?: boolean;
  readonly note: string;
}

async function resolve(cli: Cli, given: string, options: Resolving): Promise<void> {
  const charged = options.charged ?? false;
  if (charged === (options.notCharged ?? false)) throw usageError('Say either --charged or --not-charged.');
  await cli.connected(async ({ services, stack, askerGraceMs: graceMs }) => {
    const questionKey = keyOf(given, await services.ledger.openReservations());
    const resolution = { questionKey, charged, note: options.note };
    const resolved = await resolveDoubt(services.questions, resolution, { graceMs });
    if (resolved.kind === 'no-doubt') {
      const message = `No doubt is open under ${questionKey}; see: ${commandFor({ stack }, 'doubts list')}`;
      throw new CliError(message, { exit: EXIT.notFound, code: 'no-doubt' });
    }
    if (resolved.kind === 'too-early') throw tooEarly(resolved.notBeforeMs);
    const { credits } = resolved;
    if (options.json) printJson(cli.io, { questionKey, resolved: true, credits });
    else cli.io.out(`Resolved: ${counted(credits, 'credit')} booked. The question may be asked again.\n`);
  });
}

/** As a list, the spend page or an error showed it, also cut short. @throws CliError where several fit */
function keyOf(given: string, open: readonly OpenReservation[]): string {
  const start = given.trim().replace(/(?:…|\.\.\.)$/, '');
  const doubts = open.filter(({ state, id, questionKey }) => {
    const isIt = start !== '' && (id === start || questionKey.startsWith(start));
    return state === 'doubtful' && isIt;
  });
  if (doubts.length > 1) throw usageError(`Several doubts begin with ${start}: give more letters.`);
  return doubts[0]?.questionKey ?? start;
}

function tooEarly(untilMs: number): CliError {
  const message = `The answer may still come; resolve it after ${new Date(untilMs).toISOString()}.`;
  return new CliError(message, { exit: EXIT.refused, code: 'too-early', untilMs });
}
