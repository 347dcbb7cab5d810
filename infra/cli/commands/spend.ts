import { Argument, Option } from 'commander';
import type { BudgetState } from '#shared/credit-ledger';
import { askerWords, PURPOSES, recordKey, shownKey } from '#shared/crm';
import {
  command,
  counted,
  dayOf,
  figure,
  instant,
  longMonth,
  percent,
  withHundredths,
  wording,
} from '#shared/kernel';
import { QUESTION_OPERATIONS } from '#shared/questions';
import {
  CHARGE_OUTCOMES,
  type Charge,
  chargesCsv,
  inSelection,
  isSelected,
  label,
  listCharges,
  longestUpTo,
  MAX_DAYS,
  monthsOf,
  noCharge,
  parseSelection,
  type Query,
  readReport,
  readStops,
  type SpendReport,
  selectionWords,
  spendCsv,
  stopsOf,
  stopTimes,
  viewSources,
  WITHOUT_RULE,
} from '#shared/spend';
import type { Connection, ReadingConnection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError, EXIT } from '../terminal/exit.ts';
import { argumentRefusal, noteText, wholeNumber } from '../terminal/refusals.ts';
import { type Lines, type Sheet, type Table, tableOf } from '../terminal/sheet.ts';
import { findRecord } from './find-record.ts';

const BY = ['day', 'purpose', 'source', 'rule', 'operation'] as const;
type By = (typeof BY)[number];
type SpendOptions = CommandOptions &
  Query & { readonly by?: By; readonly record?: string; readonly limit?: number };

export function addSpend(program: SheetCommand): void {
  const what = new Argument('[what]', 'the charges one by one instead of sums').choices(['charges']);
  const by = new Option('--by <what>', 'group by this, for this month or the chosen range').choices(BY);
  const spend = program.command('spend').description('show where credits went and what is left');
  spend
    .command('stop')
    .description('stop all purchases until spend resume; stored answers are still used')
    .requiredOption('--reason <text>', 'the reason, which every surface shows; no personal data', noteText)
    .example('--reason "budget review"')
    .sheet(stop);
  spend.command('resume').description('resume purchases after spend stop').sheet(resume);
  spend
    .addArgument(what)
    .csv()
    .addOption(by)
    .option('--month <month>', 'a month, such as 2026-11')
    .option('--from <date>', `first day of a range of ${MAX_DAYS} days at most`)
    .option('--to <date>', 'last day of the range (default: today)')
    .addOption(new Option('--purpose <purpose>', 'only this purpose').choices(PURPOSES))
    .addOption(new Option('--operation <operation>', 'only this operation').choices(QUESTION_OPERATIONS))
    .addOption(new Option('--outcome <outcome>', 'only this outcome').choices(CHARGE_OUTCOMES))
    .option('--asked-by <asker>', 'only charges asked for by this, such as user:12345 or source:IMPORT')
    .option('--record <record>', 'charges: only this record, such as contacts/123')
    .option('--limit <count>', 'charges: show at most this many', wholeNumber(1))
    .example('charges --month 2026-11 --purpose import')
    .sheet(async (run, options: SpendOptions, list: string | undefined) => {
      const connection = await run.connect();
      return list ? showCharges(connection, options) : show(connection, options);
    });
}

/** Lists the charges of a selection, newest first. */
async function showCharges(connection: Connection, options: SpendOptions): Promise<Sheet> {
  const { record, limit = options.csv || options.json ? Number.MAX_SAFE_INTEGER : SHOWN } = options;
  if (options.by) throw argumentRefusal('only-without', { option: '--by', other: 'charges' });
  const { month, from, to } = options;
  const { today, ...picked } = selected(connection, options);
  // For one record, the default range is the longest that can be read.
  const isAll = record !== undefined && !month && !from && !to;
  const selection = isAll ? { ...picked.selection, ...longestUpTo(today) } : picked.selection;
  const { spendBook, ledgerStore } = connection.services;
  const key = record === undefined ? undefined : recordKey(await findRecord(connection, record));
  const { rows } = await spendBook.read({ months: monthsOf(selection) });
  const asked = { rows, selection, record: key, limit, maxRead: Number.POSITIVE_INFINITY };
  const page = await listCharges(ledgerStore, asked);
  const { charges, nextSeq } = page;
  const shown = charges.map((each) => ({ ...each, record: each.record && shownKey(each.record) }));
  const isWhole = nextSeq === undefined;
  return {
    json: { selection, charges: shown, isWhole },
    body: [tableOfCharges(shown, connection.policy.timeZone)],
    csv: chargesCsv(page),
    warnings: [
      !isWhole && `Shown: the newest ${counted(charges.length, 'charge')}. There are more, see --limit.`,
      isWhole && charges.length === 0 && noCharge({ selection, record }),
    ],
  };
}

/** Default number of charges on a screen. */
const SHOWN = 50;

async function show(connection: Connection, options: SpendOptions): Promise<Sheet> {
  for (const option of ['record', 'limit'] as const)
    if (options[option] !== undefined)
      throw argumentRefusal('only-with', { option: `--${option}`, other: 'charges' });
  const { report, rows } = await read(connection, options);
  if (options.by) return partSheet(report, options.by);
  return { json: report, csv: spendCsv(rows), body: bodyOf(report) };
}

function selected({ services, policy }: Connection, options: Query, isOfSums = false) {
  const today = dayOf(services.questions.clock.now(), policy.timeZone);
  const parsed = parseSelection(options, { today, isOfSums });
  if (parsed.kind === 'refused') {
    const { code, params, problem } = parsed;
    throw new CliError(code, problem, { exit: EXIT.usage, params });
  }
  return { ...parsed, today };
}

/** What the spend page and `spend` read of an installation. */
export function sourcesOf(
  { services, policy, isReal, stack, clock, hubSpotSite: hubSpot }: ReadingConnection,
  environment?: string,
) {
  const service = isReal ? 'real' : 'stand-in';
  return viewSources(services, { service, stack: stack?.name, policy, clock, hubSpot, environment });
}

async function read(connection: Connection, options: SpendOptions) {
  const { selection, isPicked } = selected(connection, options, true);
  const report = await readReport(sourcesOf(connection), isPicked ? selection : undefined);
  const { rows } = await connection.services.spendBook.read({ months: monthsOf(selection) });
  return { report, rows: rows.filter((row) => isSelected(selection, row)) };
}

/** Shows the columns of the page's table: the credits of each part and what they bought, also of parts that cost nothing. */
function partSheet(report: SpendReport, by: By): Sheet {
  if (by === 'day') {
    const rows = report.byDay.map(({ day, credits, count }) => [day, count, credits]);
    return { json: report.byDay, body: [{ columns: ['day', 'charges', 'credits'], rows }] };
  }
  // The list by rule is empty if no record met a rule. The page with the rules then shows one row for all.
  const all = by === 'rule' && report.total.charges > 0 ? [{ name: WITHOUT_RULE, ...report.total }] : [];
  const parts = report.yields[by].length > 0 ? report.yields[by] : all;
  if (parts.length === 0)
    return { json: [], body: [by === 'rule' ? NO_RULE_DECIDED : 'Nothing was charged in this time.'] };
  return { json: parts, body: [tableOfParts(parts, by)] };
}

const NO_RULE_DECIDED = 'No rule of the policy has decided about a record in this time.';

function tableOfParts(parts: SpendReport['yields']['rule'], by: string): Table {
  // Runs are not counted by operation, nor in a selection by operation or outcome.
  const isFilled = parts.some(({ filledFields }) => filledFields !== undefined);
  const columns = [
    ...[by, 'charges', 'credits', 'match rate', 'credits without a match'],
    ...(isFilled ? ['fields filled', 'credits a field'] : []),
  ];
  const rows = parts.map(
    ({ name, charges, credits, matchRate, wastedCredits, filledFields, costPerFilledField }) => [
      name,
      charges,
      credits,
      matchRate === undefined ? '' : percent(matchRate),
      wastedCredits,
      ...(isFilled
        ? [filledFields ?? '', costPerFilledField === undefined ? '' : withHundredths(costPerFilledField)]
        : []),
    ],
  );
  return { columns, rows };
}

function bodyOf(report: SpendReport): Lines {
  const { timeZone, generatedAtMs, isPicked, yields } = report;
  // For a chosen range, current figures are left out, because a reader could take them for figures of the range.
  const lines = isPicked
    ? [
        `${selectionWords(report.selection)}: ${counted(report.selected.credits, 'credit')} in ${counted(report.selected.count, 'charge')}.`,
        ...yieldLines(report),
      ]
    : [...stopLines(report), ...summaryLines(report)];
  const parts = yields.operation.map((part) => ({ ...part, name: label(part.name) }));
  const standIn = report.service === 'stand-in' ? ', on the stand-in' : '';
  return [
    ...lines,
    '',
    !isPicked && budgetTable(report.budgets, timeZone),
    parts.length > 0 && !isPicked && '',
    tableOfParts(parts, 'operation'),
    `\nAs of ${instant(generatedAtMs, timeZone)} (${timeZone})${standIn}.`,
  ];
}

function summaryLines(report: SpendReport): Lines {
  const { spentTodayCredits, pendingCredits, doubtfulCredits, balanceCredits, nextExpiry } = report;
  const { month, spentMonthCredits, forecastMonthCredits } = report;
  const { bookedDoubts: booked } = report;
  const doubts = report.openDoubts.length;
  return [
    `Today: ${counted(spentTodayCredits, 'credit')}.`,
    `${longMonth(month)}: ${counted(spentMonthCredits, 'credit')} so far, about ${figure(forecastMonthCredits)} at the end.`,
    pendingCredits > 0 && `In progress: ${counted(pendingCredits, 'credit')}.`,
    doubts > 0 &&
      wording`With an unknown outcome: ${counted(doubtfulCredits, 'credit')} in ${counted(doubts, 'request')}; see: ${command('doubts list')}`,
    booked &&
      booked.doubts.length > 0 &&
      wording`Booked as charged without a proof: ${counted(booked.credits, 'credit')} in ${counted(booked.doubts.length, 'request')}${booked.isMore ? ', and more' : ''}; see: ${command('doubts list')}`,
    balanceCredits !== undefined && `Balance: ${counted(balanceCredits, 'credit')}.`,
    nextExpiry && `${counted(nextExpiry.leftCredits, 'credit')} of them expire after ${nextExpiry.day}.`,
    ...yieldLines(report),
  ];
}

function yieldLines({ total, selection }: SpendReport): Lines {
  const { matchRate, filledFields = 0, costPerFilledField: cost } = total;
  return [
    matchRate !== undefined &&
      `Match rate: ${percent(matchRate)} of the lookups that were answered ${inSelection(selection)}.`,
    cost !== undefined &&
      `Filled: ${counted(filledFields, 'field')}, ${withHundredths(cost)} credits a field.`,
  ];
}

async function stop(
  run: CommandRun,
  { reason }: CommandOptions & { readonly reason: string },
): Promise<Sheet> {
  const { services } = await run.connect();
  const { stopped } = await services.questions.breakers.stop({ reason });
  return {
    json: { stopped },
    body: [
      'Spending is stopped. Requests in flight finish and are booked; no new one is sent.',
      wording`To continue: ${command('spend resume')}`,
    ],
  };
}

async function resume(run: CommandRun): Promise<Sheet> {
  const { services } = await run.connect();
  const { stopped } = await services.questions.breakers.resume();
  return {
    json: { resumed: stopped !== undefined },
    body: [
      stopped
        ? 'Spending continues. Waiting records are retried within 5 minutes.'
        : wording`No person had stopped spending; for other stops see: ${command('spend')}`,
    ],
  };
}

function tableOfCharges(charges: readonly Charge[], timeZone: string): Table {
  const rows = charges.map(({ atMs, record, operation, purpose, askedBy, outcome, credits }) => ({
    'booked at': instant(atMs, timeZone),
    record,
    question: label(operation),
    'asked for': label(purpose),
    'asked by': askedBy && askerWords(askedBy),
    outcome: label(outcome),
    credits,
  }));
  return tableOf(['booked at', 'record', 'question', 'asked for', 'asked by', 'outcome', 'credits'], rows);
}

export function addBudgets(program: SheetCommand): void {
  const command = program.command('budgets').description('show each budget and what is left of it').csv();
  command.sheet(async (run) => {
    const { services, policy, stack } = await run.connect();
    const budgets = (await services.ledger.now()).states();
    const { timeZone } = policy;
    const generatedAtMs = services.questions.clock.now();
    const facts = await readStops(services);
    const stops = stopsOf({ facts, waiting: undefined, nowMs: generatedAtMs, stack: stack?.name });
    const lines = stopLines({ stops, generatedAtMs, timeZone });
    return { json: budgets, body: [...lines, budgetTable(budgets, timeZone)] };
  });
}

function budgetTable(budgets: readonly BudgetState[], timeZone: string): Table {
  return {
    columns: ['budget', 'limit', 'used', 'left', 'reserved for leads', `resets (${timeZone})`],
    rows: budgets.map(({ budget, limitCredits, usedCredits, leftCredits, keptCredits = 0, resetsAtMs }) => [
      ...[budget, limitCredits, usedCredits, leftCredits, keptCredits],
      instant(resetsAtMs, timeZone),
    ]),
  };
}

/** Lines about the current stops. Normally there are none. */
export function stopLines({
  stops,
  generatedAtMs,
  timeZone,
}: Pick<SpendReport, 'stops' | 'generatedAtMs' | 'timeZone'>): string[] {
  return stops.flatMap((stop) => [
    `${stop.kind === 'ledger-broken' ? 'Broken' : 'Stopped'}: ${stop.what} ${stopTimes(stop, generatedAtMs, timeZone)}`.trimEnd(),
    `  ${stop.setting ? `${stop.setting}: ` : ''}${stop.whatToDo}`,
  ]);
}
