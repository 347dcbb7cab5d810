import { type Command, Option } from 'commander';
import { monthOfDay } from '#shared/credit-ledger/calendar.ts';
import type { BreakerState } from '#shared/questions/schemas.ts';
import { spendCsv } from '#shared/spend/csv.ts';
import { counted, figure, instant, longMonth, percent } from '#shared/spend/figures.ts';
import { label } from '#shared/spend/page/labels.ts';
import { buildReport, monthsNeeded, type SpendReport } from '#shared/spend/report.ts';
import type { Cli } from '../../cli.ts';
import type { Connection } from '../../connection/connection.ts';
import { example } from '../../terminal/example.ts';
import { type OutputOptions, printJson, printSheet, type Sheet, withCsv } from '../../terminal/output.ts';
import { budgetSheet } from './budgets.ts';

const BY = ['day', 'operation', 'purpose'] as const;
type By = (typeof BY)[number];
type SpendOptions = OutputOptions & { readonly by?: By };

/** `spend`: where the credits went, and what is left. */
export function addSpend(program: Command, cli: Cli): void {
  const by = new Option('--by <what>', 'one table: the last 30 days, or this month divided up').choices(BY);
  withCsv(program.command('spend').description('where the credits went, and what is left').addOption(by))
    .addHelpText('after', example('spend --by operation --csv'))
    .action((options: SpendOptions) => cli.connected((connection) => show(cli, connection, options)));
}

async function show(cli: Cli, connection: Connection, options: SpendOptions): Promise<void> {
  const { io } = cli;
  const { report, rows } = await read(connection);
  const breakers = await connection.services.breakers.read();
  if (options.by) printPart(cli, { report, by: options.by, options });
  else if (options.json) printJson(io, { ...report, breakers });
  else if (options.csv) io.out(spendCsv(rows));
  else printReport(cli, report, breakerLines(breakers, connection));
}

async function read({ services, policy }: Connection) {
  const { clock } = services.questions;
  const now = { nowMs: clock.now(), timeZone: policy.timeZone };
  const [{ rows, newest }, budgets] = await Promise.all([
    services.spendBook.read({ months: monthsNeeded(now) }),
    services.ledger.budgets(),
  ]);
  const report = buildReport({ ...now, account: services.ledger.account, rows, newest, budgets });
  return { report, rows: rows.filter(({ day }) => monthOfDay(day) === report.month) };
}

function printPart(
  { io }: Cli,
  { report, by, options }: { report: SpendReport; by: By; options: SpendOptions },
): void {
  const part = { day: report.byDay, operation: report.byOperation, purpose: report.byPurpose }[by];
  if (options.json) printJson(io, part);
  else printSheet(io, by === 'day' ? daySheet(report) : shareSheet(report, by), options);
}

function daySheet({ byDay }: SpendReport): Sheet {
  const rows = byDay.map(({ day, credits, count }) => [day, String(count), String(credits)]);
  return { columns: ['day', 'charges', 'credits'], rows, right: [1, 2] };
}

function shareSheet(report: SpendReport, by: 'operation' | 'purpose'): Sheet {
  const shares = by === 'operation' ? report.byOperation : report.byPurpose;
  const rows = shares.map(({ name, count, credits }) => [name, String(count), String(credits)]);
  return { columns: [by, 'charges', 'credits'], rows, right: [1, 2] };
}

function printReport({ io }: Cli, report: SpendReport, stops: readonly string[]): void {
  const { timeZone, generatedAtMs } = report;
  io.out(`${summaryLines(report).join('\n')}\n`);
  for (const stop of stops) io.out(`Stopped: ${stop}\n`);
  io.out('\n');
  printSheet(io, budgetSheet(report.budgets, timeZone), {});
  const rows = report.byOperation.map(({ name, count, credits, share }) => [
    label(name),
    figure(count),
    figure(credits),
    percent(share),
  ]);
  if (rows.length > 0) io.out('\n');
  printSheet(io, { columns: ['operation', 'charges', 'credits', 'share'], rows, right: [1, 2, 3] }, {});
  io.out(`\nAs of ${instant(generatedAtMs, timeZone)} (${timeZone}).\n`);
}

function summaryLines(report: SpendReport): string[] {
  const { spentTodayCredits, spentMonthCredits, month, forecastMonthCredits, balanceCredits } = report;
  const { pendingCredits, doubtfulCredits, openDoubts } = report;
  return [
    `Today: ${counted(spentTodayCredits, 'credit')}.`,
    `${longMonth(month)}: ${counted(spentMonthCredits, 'credit')} so far, ${figure(forecastMonthCredits)} at this pace.`,
    ...(pendingCredits > 0 ? [`Under way: ${counted(pendingCredits, 'credit')}.`] : []),
    ...(openDoubts.length > 0
      ? [
          `In doubt: ${counted(doubtfulCredits, 'credit')} in ${counted(openDoubts.length, 'question')}; see doubts list.`,
        ]
      : []),
    ...(balanceCredits === undefined ? [] : [`Balance: ${counted(balanceCredits, 'credit')}.`]),
  ];
}

/** What keeps questions from being asked now, a sentence each; none is the normal case. */
function breakerLines(
  { keyRefused, outOfCredits, doubtful }: BreakerState,
  { services, policy }: Connection,
): string[] {
  const nowMs = services.questions.clock.now();
  const at = (ms: number) =>
    ms > nowMs ? `after ${instant(ms, policy.timeZone)}` : 'with the next question';
  return [
    ...(keyRefused ? [`${refusal(keyRefused)}; tried again ${at(keyRefused.probeAtMs)}.`] : []),
    ...(outOfCredits && outOfCredits.untilMs > nowMs
      ? [
          `its own balance does not pay for ${counted(outOfCredits.priceCredits, 'credit')} or more; tried again ${at(outOfCredits.untilMs)}.`,
        ]
      : []),
    ...(doubtful
      ? [`requests in a row were left without an answer; tried again ${at(doubtful.probeAtMs)}.`]
      : []),
  ];
}

function refusal({ why }: NonNullable<BreakerState['keyRefused']>): string {
  return why ? 'the address of the data service is not its own' : 'the data service refuses the API key';
}
