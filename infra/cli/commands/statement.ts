import { NO_STATEMENT, readStatement, statementCsv, statementTable } from '#shared/credit-ledger';
import { longMonth } from '#shared/kernel';
import { statementNotes } from '#shared/spend';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError } from '../terminal/exit.ts';
import { calendarMonth } from '../terminal/refusals.ts';
import type { Sheet } from '../terminal/sheet.ts';

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
    store,
    account: ledger.account,
    timeZone,
    nowMs: questions.clock.now(),
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
      ...statementNotes(statement),
    ],
    csv: statementCsv(statement),
  };
}
