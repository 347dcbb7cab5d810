import { Argument, type Command, Option } from 'commander';
import { PURPOSES } from '#shared/crm';
import {
  counted,
  dayOf,
  figure,
  figureRange,
  instant,
  longMonth,
  percent,
  withHundredths,
} from '#shared/kernel';
import { QUESTION_OPERATIONS } from '#shared/questions';
import {
  CHARGE_OUTCOMES,
  doubtCount,
  inSelection,
  isSelected,
  label,
  longestUpTo,
  MAX_DAYS,
  monthsOf,
  parseSelection,
  type Query,
  readReport,
  type SpendReport,
  selectionWords,
  spendCsv,
  usedUpWords,
} from '#shared/spend';
import type { Cli } from '../../cli.ts';
import type { Connection } from '../../connection/connection.ts';
import { example } from '../../terminal/example.ts';
import { usageError } from '../../terminal/exit.ts';
import { wholeNumber } from '../../terminal/option-values.ts';
import { type OutputOptions, printJson, printSheet, type Sheet, withCsv } from '../../terminal/output.ts';
import { stopLines } from '../../terminal/stop-lines.ts';
import { budgetSheet } from './budgets.ts';
import { printCharges } from './charges.ts';
import { addSpendSwitch } from './spend-switch.ts';

const BY = ['day', 'operation', 'purpose', 'outcome'] as const;
type By = (typeof BY)[number];
type SpendOptions = OutputOptions &
  Query & { readonly by?: By; readonly record?: string; readonly limit?: number };

/** `spend`, `spend charges|stop|resume`: where the credits went, what is left, and the charges behind it. */
export function addSpend(program: Command, cli: Cli): void {
  const what = new Argument('[what]', 'the charges one by one instead of sums').choices(['charges']);
  const by = new Option('--by <what>', 'one table by this, for this month or the chosen range').choices(BY);
  const spend = program.command('spend').description('where the credits went, and what is left');
  addSpendSwitch(spend, cli);
  withCsv(spend.addArgument(what))
    .addOption(by)
    .option('--month <month>', 'of a month, such as 2026-11')
    .option('--from <date>', `first day of a range of ${MAX_DAYS} days at most`)
    .option('--to <date>', 'last day of it; today without it')
    .addOption(new Option('--purpose <purpose>', 'what was asked for').choices(PURPOSES))
    .addOption(new Option('--operation <operation>', 'what was asked').choices(QUESTION_OPERATIONS))
    .addOption(new Option('--outcome <outcome>', 'what it brought').choices(CHARGE_OUTCOMES))
    .option('--record <record>', 'charges: of one record, such as contacts/123')
    .addOption(new Option('--limit <count>', 'charges: at most so many').argParser(wholeNumber(1)))
    .addHelpText('after', example('spend charges --month 2026-11 --purpose import'))
    .action((list: string | undefined, options: SpendOptions) =>
      cli.connected((connection) =>
        list ? listThem(cli, connection, options) : show(cli, connection, options),
      ),
    );
}

async function listThem(cli: Cli, connection: Connection, options: SpendOptions): Promise<void> {
  const { record, limit = options.csv || options.json ? Number.MAX_SAFE_INTEGER : SHOWN } = options;
  if (options.by) throw usageError('--by divides sums up: spend without charges.');
  const { month, from, to } = options;
  const { selection, today } = selected(connection, options);
  // Whoever asks for a record wants all of its charges that can be looked through.
  const isAll = record !== undefined && !month && !from && !to;
  const asked = { selection: isAll ? { ...selection, ...longestUpTo(today) } : selection, record, limit };
  await printCharges(cli, connection, { asked, options });
}

/** Charges that are shown to a person at once. */
const SHOWN = 50;

async function show(cli: Cli, connection: Connection, options: SpendOptions): Promise<void> {
  const { io } = cli;
  if (options.record !== undefined || options.limit !== undefined)
    throw usageError('--record and --limit are of the charges: spend charges.');
  const { report, rows } = await read(connection, options);
  if (options.by) printPart(cli, { report, by: options.by, options });
  else if (options.json) printJson(io, report);
  else if (options.csv) io.out(spendCsv(rows));
  else printReport(cli, report);
}

function selected({ services, policy }: Connection, options: Query) {
  const today = dayOf(services.questions.clock.now(), policy.timeZone);
  const parsed = parseSelection(options, { today });
  if (parsed.kind === 'refused') throw usageError(parsed.problem);
  return { ...parsed, today };
}

async function read(connection: Connection, options: SpendOptions) {
  const { services, policy, isReal } = connection;
  const { clock } = services.questions;
  const { selection, isPicked } = selected(connection, options);
  const service = isReal ? ('real' as const) : ('stand-in' as const);
  const sources = {
    ...services,
    waiting: services,
    stops: services,
    service,
    clock,
    timeZone: policy.timeZone,
  };
  const report = await readReport(sources, isPicked ? selection : undefined);
  const { rows } = await services.spendBook.read({ months: monthsOf(selection) });
  return { report, rows: rows.filter((row) => isSelected(selection, row)) };
}

function printPart(
  { io }: Cli,
  { report, by, options }: { report: SpendReport; by: By; options: SpendOptions },
): void {
  const part = by === 'day' ? report.byDay : sharesOf(report, by);
  if (options.json) printJson(io, part);
  else printSheet(io, by === 'day' ? daySheet(report) : shareSheet(report, by), options);
}

function daySheet({ byDay }: SpendReport): Sheet {
  const rows = byDay.map(({ day, credits, count }) => [day, String(count), String(credits)]);
  return { columns: ['day', 'charges', 'credits'], rows, right: [1, 2] };
}

function shareSheet(report: SpendReport, by: Exclude<By, 'day'>): Sheet {
  const rows = sharesOf(report, by).map(({ name, count, credits }) => [name, String(count), String(credits)]);
  return { columns: [by, 'charges', 'credits'], rows, right: [1, 2] };
}

function sharesOf({ byOperation, byPurpose, byOutcome }: SpendReport, by: Exclude<By, 'day'>) {
  return { operation: byOperation, purpose: byPurpose, outcome: byOutcome }[by];
}

function printReport({ io }: Cli, report: SpendReport): void {
  const { timeZone, generatedAtMs } = report;
  // Figures of now would look as if they belonged to the chosen range.
  const lines = report.isPicked
    ? [pickedLine(report), ...broughtLines(report)]
    : [...stopLines(report), ...summaryLines(report)];
  io.out(`${lines.join('\n')}\n\n`);
  if (!report.isPicked) printSheet(io, budgetSheet(report.budgets, timeZone), {});
  const rows = report.byOperation.map(({ name, count, credits, share }) => [
    label(name),
    figure(count),
    figure(credits),
    percent(share),
  ]);
  if (rows.length > 0 && !report.isPicked) io.out('\n');
  printSheet(io, { columns: ['operation', 'charges', 'credits', 'share'], rows, right: [1, 2, 3] }, {});
  io.out(
    `\nAs of ${instant(generatedAtMs, timeZone)} (${timeZone})${report.service === 'stand-in' ? ', on the stand-in' : ''}.\n`,
  );
}

function pickedLine({ selection, selected }: SpendReport): string {
  return `${selectionWords(selection)}: ${counted(selected.credits, 'credit')} in ${counted(selected.count, 'charge')}.`;
}

function summaryLines(report: SpendReport): string[] {
  const { spentTodayCredits, pendingCredits, doubtfulCredits, balanceCredits, grantUsedUp } = report;
  const { bookedDoubts: booked } = report;
  const doubts = doubtCount(report);
  return [
    `Today: ${counted(spentTodayCredits, 'credit')}.`,
    ...monthLines(report),
    ...(pendingCredits > 0 ? [`Under way: ${counted(pendingCredits, 'credit')}.`] : []),
    ...(doubts > 0
      ? [
          `In doubt: ${counted(doubtfulCredits, 'credit')} in ${counted(doubts, 'question')}; see doubts list.`,
        ]
      : []),
    ...(booked && booked.doubts.length > 0
      ? [
          `Booked as charged without a proof: ${counted(booked.credits, 'credit')} in ${counted(booked.doubts.length, 'request')}${booked.isMore ? ', and more' : ''}; see doubts list.`,
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
  forecastRange,
  budgetUsedUp,
}: SpendReport): string[] {
  const range = forecastRange ? ` (${figureRange(forecastRange.lowCredits, forecastRange.highCredits)})` : '';
  return [
    `${longMonth(month)}: ${counted(spentMonthCredits, 'credit')} so far, about ${figure(forecastMonthCredits)}${range} at the end.`,
    ...(budgetUsedUp ? [`The month's budget: used up ${usedUpWords(budgetUsedUp)}.`] : []),
  ];
}

function broughtLines({ brought, selection }: SpendReport): string[] {
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
      : [`Match rate: ${percent(matchRate)} of the records that were looked up ${inSelection(selection)}.`]),
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
