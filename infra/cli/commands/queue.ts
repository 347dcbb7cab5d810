import { Option } from 'commander';
import { refusalSentence } from '#shared/credit-ledger';
import type { Purpose } from '#shared/crm';
import { STATUS_LABELS } from '#shared/field-policy';
import { command, counted, wording } from '#shared/kernel';
import { auditRuns } from '#shared/records';
import { findWaiting, HELD_BACK, MAX_ADMITTED, spendingStop, startRecords } from '#shared/requests';
import {
  howCounted,
  label,
  monthsNeeded,
  readStops,
  stopsOf,
  summarizeWaiting,
  type WaitingSummary,
  waitingRows,
} from '#shared/spend';
import { countQueues, moveDeadLetters, type QueueCounts } from '../../local/queues.ts';
import type { Connection } from '../connection/connection.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../sheet-command.ts';
import { CliError, EXIT } from '../terminal/exit.ts';
import { wholeNumber } from '../terminal/refusals.ts';
import { type Lines, type Sheet, tableOf } from '../terminal/sheet.ts';
import { stopLines } from './spend.ts';

export function addQueue(program: SheetCommand): void {
  const queue = program.command('queue').description('queues, waiting records and dead letters');
  queue
    .command('status')
    .description('show the number of messages in each queue, and of waiting records by reason')
    .csv()
    .sheet(status);
  queue.command('requeue').description('retry dead letters').yes('agree beforehand').sheet(requeue);
  queue
    .command('admit')
    .description('start waiting records in spite of the reserve for new leads')
    .addOption(new Option('--purpose <purpose>', 'records of one purpose only').choices(HELD_BACK))
    .option('--limit <count>', 'highest number of records, newest first', wholeNumber(1), MAX_ADMITTED)
    .yes('agree to the price beforehand')
    .example('--purpose import --limit 50')
    .sheet(admit);
}

/** Fields of a queue for `--csv`. */
const FIELDS = ['queue', 'waiting', 'inHand', 'delayed', 'deadLetters'] as const;
const COLUMNS = ['queue', 'waiting', 'in progress', 'delayed', 'dead letters'];

async function status(run: CommandRun): Promise<Sheet> {
  const { stack, queues, hasWorkers, services, policy, clock } = await run.connect();
  const counts = await countQueues(queues);
  const doubts = await services.openDoubts();
  const { spendBook, ledger, records, counted } = services;
  const { timeZone } = policy;
  const spent = await spendBook.read({ months: monthsNeeded({ nowMs: clock.now(), timeZone }) });
  const budgetsNow = await ledger.now();
  const facts = await readStops(services);
  const isStoppedByPerson = facts.breakers.stopped !== undefined;
  const nowMs = clock.now();
  const sources = { records, counted, budgetsNow, isStoppedByPerson, nowMs };
  const waiting = await summarizeWaiting(sources, spent.rows);
  const stops = stopsOf({ facts, budgets: budgetsNow.states(), waiting, nowMs, stack: stack?.name });
  const fields = tableOf(FIELDS, counts);
  return {
    json: { hasWorkers, queues: counts, waiting, stops, unknownOutcomes: doubts.length },
    body: [
      { ...fields, columns: COLUMNS },
      '',
      QUEUED_TWICE,
      ...waitingLines(waiting, { nowMs, timeZone, stack: stack?.name }),
      ...stopLines({ stops, generatedAtMs: nowMs, timeZone }),
    ],
    csv: fields,
    notes: [
      !hasWorkers && 'No worker is running. To process the queue, run: npm start',
      doubts.length > 0 &&
        wording`Lookups with an unknown outcome, which no queue holds: ${String(doubts.length)}. To see them: ${command('doubts list')}`,
      deadIn(counts) > 0 && wording`See "Dead letters" in the runbook, then run: ${command('queue requeue')}`,
    ],
  };
}

/** Explains that messages and waiting records overlap, so that a person does not add the numbers. */
const QUEUED_TWICE =
  'These are messages. A waiting record below may also have one, so do not add the numbers.';

function waitingLines(waiting: WaitingSummary, moment: Parameters<typeof waitingRows>[1]): Lines {
  const { many } = waiting;
  const lines = waitingRows(waiting, moment).map(
    ({ title, records, why, ends }) => `${title.replace(/\.$/, '')}: ${records}. ${why} ${ends}.`,
  );
  return lines.length === 0 ? ['No record waits.'] : [...lines, many && howCounted(many, moment.timeZone)];
}

async function requeue(run: CommandRun): Promise<Sheet> {
  const { queues } = await run.connect();
  const total = deadIn(await countQueues(queues));
  if (total > 0) {
    const letters = `About ${counted(total, 'dead letter')}`;
    await run.agree(`${letters}: sends them to the workers, which may spend credits`);
  }
  const moved = await moveDeadLetters(queues, run.progress({ total, noun: 'messages' }));
  const { requeued, unreadable } = moved;
  return {
    json: moved,
    body: [
      `${counted(requeued, 'message')} returned to the queue.`,
      unreadable > 0 && `${counted(unreadable, 'message')} not returned: damaged, or of another version.`,
    ],
    exit: requeued > 0 ? EXIT.ok : EXIT.notFound,
  };
}

function deadIn(counts: readonly QueueCounts[]): number {
  return counts.reduce((sum, { deadLetters }) => sum + deadLetters, 0);
}

async function admit(
  run: CommandRun,
  { purpose, limit }: CommandOptions & { readonly purpose?: Purpose; readonly limit: number },
): Promise<Sheet> {
  const connection = await run.connect();
  const { services, policy, clock } = connection;
  const stopped = await spendingStop(services);
  if (stopped !== undefined) {
    const message = wording`${stopped} To resume it, run: ${command('spend resume')}`;
    throw new CliError('stopped-by-person', message);
  }
  const purposes = purpose ? [purpose] : HELD_BACK;
  const waiting = await findWaiting({ ...services, policy }, { purposes, limit });
  const { refusal } = waiting;
  if (refusal) {
    const message = `${refusalSentence(refusal)} No record was started.`;
    const { budget, opensAtMs: untilMs } = refusal;
    throw new CliError('budget', message, { exit: EXIT.refused, params: { budget }, untilMs });
  }
  if (waiting.records.length > 0) await run.agree(await priceOf(connection, waiting));
  const count = await startRecords({ ...services, clock }, waiting.records);
  return {
    json: { admitted: count, worstCaseCredits: waiting.maxCredits },
    body: [
      waiting.records.length === 0
        ? `No record of these purposes is queued: ${purposes.map(label).join(', ')}.`
        : `${counted(count, 'record')} admitted. They start within a minute, as far as the budget goes.`,
    ],
    exit: count > 0 ? EXIT.ok : EXIT.notFound,
  };
}

async function priceOf(
  { services: { ledger } }: Connection,
  { records, maxCredits }: Awaited<ReturnType<typeof findWaiting>>,
): Promise<string> {
  const purposes = [...new Set(records.flatMap(({ run }) => run?.purpose ?? []))];
  const budgetsNow = await ledger.now();
  const left = purposes.map((each) => budgetsNow.left(each, { overrulesReserve: true }));
  const price = `${counted(records.length, 'record')}: at most ${counted(maxCredits, 'credit')}`;
  const budget = `The budget has ${counted(Math.max(0, ...left), 'credit')} left, the reserve for new leads included`;
  return `${price}. ${budget}, and is not exceeded`;
}

export function addRuns(program: SheetCommand): void {
  const runs = program.command('runs').description('check that every enrichment run is accounted for');
  runs
    .command('verify')
    .description('check that every run of every record has ended, waits or is in progress')
    .sheet(verifyRuns);
}

async function verifyRuns(run: CommandRun): Promise<Sheet> {
  const { services } = await run.connect();
  const audit = await auditRuns(services.records);
  const { guilty, outcomes: ends, inReview: review = 0, ...counts } = audit;
  const outcomes = { ...ends, unmatched: ends.unmatched - review, review };
  const isWhole = audit.lost === 0;
  return {
    json: { ...counts, outcomes, guilty },
    body: [
      {
        columns: ['runs', 'count'],
        rows: Object.entries({ ...counts, ...outcomes }).map(([name, count]) => [
          name === 'review' ? STATUS_LABELS.review.toLowerCase() : name,
          count,
        ]),
      },
      isWhole
        ? '\nEvery opened run has ended, waits or is in progress.'
        : `\n${counted(audit.lost, 'run')} lost, of these records: ${guilty.join(', ')}. See "Books differ" in the runbook.`,
    ],
    exit: isWhole ? EXIT.ok : EXIT.failed,
  };
}
