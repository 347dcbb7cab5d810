import {
  NO_STATEMENT,
  readStatement,
  type Statement,
  statementCsv,
  statementTable,
} from '#shared/credit-ledger';
import { command, counted, figure, longMonth, wording } from '#shared/kernel';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError } from '../terminal/exit.ts';
import { RefusedValue } from '../terminal/refusals.ts';
import type { Lines, Sheet } from '../terminal/sheet.ts';

export function addStatement(program: SheetCommand): void {
  program
    .command('statement')
    .description("print a month's statement: balances, purchases, spending, doubts and proof")
    .argument('<month>', 'such as 2026-11', calendarMonth)
    .csv()
    .example('2026-11')
    .sheet(show);
}

async function show(run: CommandRun, _: CommandOptions, month: string): Promise<Sheet> {
  const { services, policy } = await run.connect();
  const { ledger, ledgerStore: store, questions } = services;
  const { timeZone } = policy;
  const reading = await readStatement(month, {
    ...{ store, account: ledger.account, timeZone, nowMs: questions.clock.now() },
  });
  if (reading.kind !== 'statement') {
    const { kind, ...found } = reading;
    const params = { month, ...found };
    throw new CliError(kind, NO_STATEMENT[kind](params), { params });
  }
  const { statement } = reading;
  const table = statementTable(statement);
  const { soFar } = statement;
  return {
    json: statement,
    body: [
      `${longMonth(month)}${soFar ? `, so far (${soFar})` : ''}, by the day of booking\n`,
      table,
      '',
      ...notes(statement),
    ],
    csv: statementCsv(statement),
  };
}

function notes({ balance, spent, expired, first, last, entries, month }: Statement): Lines {
  const { count, credits } = spent.ofEarlierMonths;
  return [
    !balance &&
      wording`No purchase of credits is booked, so there is no balance. To book one: ${command('ledger grant')}`,
    count > 0 &&
      `${counted(credits, 'credit')} of it were requested in an earlier month; the spend page shows them in that month.`,
    ...expired.map(
      ({ day, credits: bought, unusedCredits }) =>
        wording`Of ${counted(bought, 'credit')} that expired after ${day}, ${figure(unusedCredits)} or more were unused. The balance includes them until you run ${command('ledger reconcile')}`,
    ),
    ...(first && last
      ? [
          `Booked in ${entries === 1 ? 'one entry' : `${figure(entries)} entries`}, from ${first.seq} with the hash ${first.hash}`,
          `to ${last.seq} with the hash ${last.hash}.`,
        ]
      : ['Nothing was booked.']),
    wording`To prove it: ${command(`statement ${month} --json`)} > statement.json, ${command('ledger export --json')} > ledger.jsonl,`,
    'and then, on any machine with these files: ledger verify ledger.jsonl --statement statement.json',
  ];
}

/** @throws RefusedValue unless it is a month such as 2026-11 */
function calendarMonth(given: string): string {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(given)) return given;
  throw new RefusedValue('not-a-month', {});
}
