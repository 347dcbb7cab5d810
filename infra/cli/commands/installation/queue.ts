import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
} from '@aws-sdk/client-sqs';
import { Command, Option } from 'commander';
import { systemClock as clock } from '#shared/kernel/adapters';
import {
  counted,
  howCounted,
  monthsNeeded,
  readStops,
  stopsOf,
  timedSentence,
  type WhoWaits,
  waitingSentence,
  whoWaits,
} from '#shared/spend';
import { decodeMessage } from '#shared/work-queue';
import { commandFor } from '../../../local/doctor/command-for.ts';
import {
  countQueues,
  QUEUE_NAMES,
  type QueueCounts,
  type QueueName,
  type Queues,
  type QueueUrls,
} from '../../../local/queues.ts';
import type { Cli } from '../../cli.ts';
import { consent } from '../../terminal/consent.ts';
import { example } from '../../terminal/example.ts';
import { type OutputOptions, printJson, printSheet, withCsv, withJson } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import { stopLines } from '../../terminal/stop-lines.ts';
import { addAdmit } from './admit.ts';

type RequeueOptions = OutputOptions & { readonly queue?: QueueName; readonly yes?: boolean };

/** `queue status|requeue|admit`: what waits, and what was given up on. */
export function queueCommand(cli: Cli): Command {
  const queue = new Command('queue').description('what waits for the workers, and what they gave up on');
  withCsv(queue.command('status').description('messages by queue, dead letters too'))
    .addHelpText('after', example('queue status'))
    .action((options: OutputOptions) => status(cli, options));
  withJson(queue.command('requeue').description('give dead letters another try'))
    .addOption(new Option('--queue <name>', 'one queue only').choices(QUEUE_NAMES))
    .option('-y, --yes', 'move them without being asked')
    .addHelpText('after', example('queue requeue --queue live'))
    .action((options: RequeueOptions) => requeue(cli, options));
  addAdmit(queue, cli);
  return queue;
}

async function status(cli: Cli, options: OutputOptions): Promise<void> {
  await cli.connected(async ({ stack, queues, hasWorkers, services, policy }) => {
    const counts = await countQueues(queues);
    const { spendBook, ledger, records, counted } = services;
    const months = monthsNeeded({ nowMs: clock.now(), timeZone: policy.timeZone });
    const spent = await spendBook.read({ months });
    const budgetsNow = await ledger.now();
    const waiting = await whoWaits({ records, counted, budgetsNow }, spent.rows);
    const [nowMs, { timeZone }] = [clock.now(), policy];
    const facts = await readStops(services);
    const stops = stopsOf({ facts, budgets: budgetsNow.states(), waiting, nowMs });
    if (options.json) return printJson(cli.io, { hasWorkers, queues: counts, waiting, stops });
    const columns = ['queue', 'waiting', 'inHand', 'delayed', 'deadLetters'] as const;
    const rows = counts.map((count) => columns.map((column) => String(count[column])));
    printSheet(cli.io, { columns, rows, right: [1, 2, 3, 4] }, options);
    if (!options.csv) {
      const lines = [
        waitingLines(waiting, nowMs, timeZone),
        ...stopLines({ stops, generatedAtMs: nowMs, timeZone }),
      ];
      cli.io.out(`\n${QUEUED_TWICE}\n${lines.join('\n')}\n`);
    }
    const say = options.csv ? cli.io.err : cli.io.out;
    if (!hasWorkers) say('No worker is running. Start one with npm start.\n');
    if (deadIn(counts) > 0)
      say(`See "Dead letters" in the runbook, then run: ${commandFor({ stack }, 'queue requeue')}\n`);
  });
}

/** A record in progress has a message in a queue and a state of its own: who adds both counts too many. */
const QUEUED_TWICE =
  'These are messages. A record that waits below may have one too: do not add the numbers.';

function waitingLines({ inTurn, timed, many }: WhoWaits, nowMs: number, timeZone: string): string {
  const lines = inTurn.map((line) => waitingSentence(line, timeZone));
  lines.push(...timed.map((wait) => timedSentence(wait, nowMs, timeZone)));
  if (many) lines.push(howCounted(many, timeZone));
  return lines.length > 0 ? lines.join('\n') : 'No record waits.';
}

async function requeue(cli: Cli, { queue, yes = false, json }: RequeueOptions): Promise<void> {
  const { io } = cli;
  await cli.connected(async ({ queues }) => {
    const names = queue ? [queue] : QUEUE_NAMES;
    const total = deadIn((await countQueues(queues)).filter((count) => names.includes(count.queue)));
    if (total > 0) {
      const question = `About ${counted(total, 'dead letter')}: back to the workers, who may spend credits on them`;
      await consent(io, { question, yes });
    }
    const progress = createProgress(io, { total, noun: 'messages' });
    const moved = await moveDeadLetters(queues, { names, signal: io.signal, onMoved: progress.update });
    progress.end();
    if (json) return printJson(io, moved);
    io.out(`${counted(moved.requeued, 'message')} back in the queue.\n`);
    if (moved.unreadable > 0)
      io.out(`${counted(moved.unreadable, 'message')} left: not messages of this version, or damaged.\n`);
  });
}

function deadIn(counts: readonly QueueCounts[]): number {
  return counts.reduce((sum, { deadLetters }) => sum + deadLetters, 0);
}

/** SQS takes and gives at most this many in one request. */
const BATCH = 10;
/** A message that is moved is deleted in a moment; one that is left is not met twice in one command. */
const HIDDEN_S = 60;

interface Moved {
  readonly requeued: number;
  /** Left where they are: the workers would only give up on them again. */
  readonly unreadable: number;
}

/**
 * Moves dead letters back to the queue they came from: sent first and deleted after that, so that none is lost; a
 * crash in between leaves a double, which the record's state recognises.
 */
async function moveDeadLetters(
  queues: Queues,
  options: {
    readonly names: readonly QueueName[];
    readonly signal?: AbortSignal | undefined;
    readonly onMoved: (count: number) => void;
  },
): Promise<Moved> {
  let [requeued, unreadable] = [0, 0];
  for (const name of options.names) {
    for (;;) {
      options.signal?.throwIfAborted();
      const messages = await receive(queues, queues.urls[name]);
      if (messages.length === 0) break;
      const readable = messages.filter(({ Body }) => decodeMessage(Body ?? '') !== undefined);
      requeued += await moveBatch(queues, queues.urls[name], readable);
      unreadable += messages.length - readable.length;
      options.onMoved(requeued + unreadable);
    }
  }
  return { requeued, unreadable };
}

async function receive({ sqs }: Queues, { deadUrl }: QueueUrls): Promise<Message[]> {
  const request = { QueueUrl: deadUrl, MaxNumberOfMessages: BATCH, VisibilityTimeout: HIDDEN_S };
  // A short wait asks all of SQS's servers; without one, messages may be overlooked.
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ ...request, WaitTimeSeconds: 1 }));
  return Messages;
}

/** @returns how many were moved; what SQS refused stays a dead letter. */
async function moveBatch(
  { sqs }: Queues,
  { url, deadUrl }: QueueUrls,
  messages: readonly Message[],
): Promise<number> {
  if (messages.length === 0) return 0;
  const copies = messages.map(({ Body = '' }, index) => ({ Id: String(index), MessageBody: Body }));
  const sent = await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: copies }));
  const refused = new Set((sent.Failed ?? []).map(({ Id }) => Id));
  const done = messages
    .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }))
    .filter(({ Id }) => !refused.has(Id));
  if (done.length > 0) await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: deadUrl, Entries: done }));
  return done.length;
}
