import { type Command, Option } from 'commander';
import { spendCsv } from '#shared/spend/csv.ts';
import { counted, figure, instant, longMonth, percent, withHundredths } from '#shared/spend/figures.ts';
import { label } from '#shared/spend/page/labels.ts';
import { readReport } from '#shared/spend/read-report.ts';
import type { SpendReport } from '#shared/spend/report.ts';
import { stopTimes } from '#shared/spend/stop-words.ts';
import { usedUpWords } from '#shared/spend/used-up.ts';
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
  if (options.by) printPart(cli, { report, by: options.by, options });
  else if (options.json) printJson(io, report);
  else if (options.csv) io.out(spendCsv(rows));
  else printReport(cli, report);
}

async function read({ services, policy, isReal }: Connection) {
  const service = isReal ? 'real' : 'stand-in';
  const { clock } = services.questions;
  const { timeZone } = policy;
  const report = await readReport({
    ...services,
    waiting: services,
    stops: services,
    service,
    clock,
    timeZone,
  });
  const { rows } = await services.spendBook.read({ months: [report.month] });
  return { report, rows };
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

function printReport({ io }: Cli, report: SpendReport): void {
  const { timeZone, generatedAtMs } = report;
  io.out(`${[...stopLines(report), ...summaryLines(report)].join('\n')}\n\n`);
  printSheet(io, budgetSheet(report.budgets, timeZone), {});
  const rows = report.byOperation.map(({ name, count, credits, share }) => [
    label(name),
    figure(count),
    figure(credits),
    percent(share),
  ]);
  if (rows.length > 0) io.out('\n');
  printSheet(io, { columns: ['operation', 'charges', 'credits', 'share'], rows, right: [1, 2, 3] }, {});
  io.out(
    `\nAs of ${instant(generatedAtMs, timeZone)} (${timeZone})${report.service === 'stand-in' ? ', on the stand-in' : ''}.\n`,
  );
}

/** What keeps questions from being asked now; none is the normal case. */
function stopLines({ stops, generatedAtMs, timeZone }: SpendReport): string[] {
  return stops.flatMap((stop) => [
    `Stopped: ${stop.what} ${stopTimes(stop, generatedAtMs, timeZone)}`.trimEnd(),
    `  ${stop.setting ? `${stop.setting}: ` : ''}${stop.whatToDo}`,
  ]);
}

function summaryLines(report: SpendReport): string[] {
  const { spentTodayCredits, pendingCredits, doubtfulCredits, openDoubts, balanceCredits, grantUsedUp } =
    report;
  return [
    `Today: ${counted(spentTodayCredits, 'credit')}.`,
    ...monthLines(report),
    ...(pendingCredits > 0 ? [`Under way: ${counted(pendingCredits, 'credit')}.`] : []),
    ...(openDoubts.length > 0
      ? [
          `In doubt: ${counted(doubtfulCredits, 'credit')} in ${counted(openDoubts.length, 'question')}; see doubts list.`,
        ]
      : []),
    ...(balanceCredits === undefined ? [] : [`Balance: ${counted(balanceCredits, 'credit')}.`]),
    ...(grantUsedUp ? [`What was bought: used up ${usedUpWords(grantUsedUp)}.`] : []),
    ...broughtLines(report),
  ];
}

function monthLines({
  month,
  spentMonthCredits,
  forecastMonthCredits,
  forecastLowCredits,
  forecastHighCredits,
  budgetUsedUp,
}: SpendReport): string[] {
  const range = `${figure(forecastMonthCredits)} (${figure(forecastLowCredits)} to ${figure(forecastHighCredits)})`;
  return [
    `${longMonth(month)}: ${counted(spentMonthCredits, 'credit')} so far, likely ${range} in the end.`,
    ...(budgetUsedUp ? [`The month's budget: used up ${usedUpWords(budgetUsedUp)}.`] : []),
  ];
}

function broughtLines({ brought }: SpendReport): string[] {
  if (!brought) return [];
  const {
    filledRecords,
    filledFields,
    matchRate,
    costPerFilledRecord: perRecord,
    costPerFilledField: perField,
  } = brought;
  const { changed, unchanged, gone } = brought.refresh;
  const each = perRecord !== undefined && perField !== undefined;
  return [
    ...(matchRate === undefined
      ? []
      : [`Match rate: ${percent(matchRate)} of the records asked about this month.`]),
    ...(each
      ? [
          `Filled: ${counted(filledRecords, 'record')}, ${counted(filledFields, 'field')}; ${withHundredths(perRecord)} credits a record, ${withHundredths(perField)} a field.`,
        ]
      : []),
    ...(changed + unchanged + gone > 0
      ? [
          `Refresh found: ${figure(changed)} changed, ${figure(unchanged)} as they were, ${figure(gone)} gone.`,
        ]
      : []),
  ];
}
