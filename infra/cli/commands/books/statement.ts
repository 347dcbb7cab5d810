import { type Command, InvalidArgumentError } from 'commander';
import { readStatement, type Statement, type StatementReading } from '#shared/credit-ledger';
import { counted, figure, longMonth } from '#shared/kernel';
import type { Cli } from '../../cli.ts';
import { example } from '../../terminal/example.ts';
import { CliError, EXIT, usageError } from '../../terminal/exit.ts';
import { type OutputOptions, printJson, printSheet, withCsv } from '../../terminal/output.ts';
import { placeRows, statementSheet } from './statement-sheet.ts';

/** `statement <month>`: a month's account, from the log. */
export function addStatement(program: Command, cli: Cli): void {
  const command = program
    .command('statement')
    .description("a month's account: balance, what was bought and spent, doubts, and what proves it")
    .argument('<month>', 'such as 2026-11', calendarMonth);
  withCsv(command)
    .addHelpText('after', example('statement 2026-11'))
    .action((month: string, options: OutputOptions) => show(cli, month, options));
}

async function show(cli: Cli, month: string, options: OutputOptions): Promise<void> {
  const { io } = cli;
  const reading = await cli.connected(({ services, policy: { timeZone } }) => {
    const { ledger, ledgerStore: store, questions } = services;
    return readStatement(month, { store, account: ledger.account, timeZone, nowMs: questions.clock.now() });
  });
  const statement = found(month, reading);
  if (options.json) return printJson(io, statement);
  const sheet = statementSheet(statement);
  if (options.csv)
    return printSheet(io, { ...sheet, rows: [...sheet.rows, ...placeRows(statement)] }, options);
  const { soFar } = statement;
  io.out(`${longMonth(month)}${soFar ? `, so far (${soFar})` : ''}, by the day of booking\n\n`);
  printSheet(io, sheet, options);
  io.out(`\n${notes(statement).join('\n')}\n`);
}

/** @throws CliError where there is no statement */
function found(month: string, reading: StatementReading): Statement {
  switch (reading.kind) {
    case 'statement':
      return reading.statement;
    case 'empty':
      throw notFound('The books are empty: no credit was ever spent or bought.');
    case 'before-the-books':
      throw notFound(`The books begin with ${longMonth(reading.firstMonth)}.`);
    case 'to-come':
      throw usageError(`${longMonth(month)} has not begun.`);
    case 'ahead':
      throw new CliError(
        'The books are ahead of time, so no month is known to be over: bring them back first with ledger set-back.',
        { exit: EXIT.refused, code: 'ahead' },
      );
    default:
      return reading satisfies never;
  }
}

function notFound(message: string): CliError {
  return new CliError(message, { exit: EXIT.notFound, code: 'no-statement' });
}

/** What the figures do not say themselves. */
function notes({ balance, spent, expired, first, last, entries, month }: Statement): string[] {
  const { count, credits } = spent.ofEarlierMonths;
  return [
    ...(balance ? [] : ['No credits were ever booked as bought (ledger grant): there is no balance.']),
    ...(count > 0
      ? [
          `${counted(credits, 'credit')} of it were asked for in an earlier month; the spend page has them there.`,
        ]
      : []),
    ...expired.map(
      ({ day, credits: bought, unusedCredits }) =>
        `Of ${counted(bought, 'credit')} until ${day}, ${figure(unusedCredits)} or more were left; the balance has them until ledger reconcile.`,
    ),
    ...(first && last
      ? [
          `Booked in ${entries === 1 ? 'one entry' : `${figure(entries)} entries`}, from ${first.seq} with the hash ${first.hash}`,
          `to ${last.seq} with the hash ${last.hash}.`,
        ]
      : ['Nothing was booked.']),
    `To prove it: statement ${month} --json > statement.json, ledger export --json > ledger.jsonl,`,
    'and then, wherever these files are: ledger verify ledger.jsonl --statement statement.json',
  ];
}

/** @throws InvalidArgumentError unless it is a month such as 2026-11 */
function calendarMonth(given: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(given)) return given;
  throw new InvalidArgumentError('It must be a month such as 2026-11.');
}
