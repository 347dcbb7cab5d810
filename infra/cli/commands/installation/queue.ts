import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
} from '@aws-sdk/client-sqs';
import { Option } from 'commander';
import { command, counted, wording } from '#shared/kernel';
import {
  howCounted,
  monthsNeeded,
  readStops,
  stopsOf,
  summarizeWaiting,
  timedSentence,
  type WaitingSummary,
  waitingSentence,
} from '#shared/spend';
import { decodeMessage } from '#shared/work-queue';
import {
  countQueues,
  type LocalQueues,
  QUEUE_NAMES,
  type QueueCounts,
  type QueueName,
  type QueueUrls,
} from '../../../local/queues.ts';
import type { CommandOptions, CommandRun, SheetCommand } from '../../sheet-command.ts';
import { type Sheet, tableOf } from '../../terminal/sheet.ts';
import { stopLines } from '../../terminal/stop-lines.ts';
import { addAdmit } from './admit.ts';

/** `queue status|requeue|admit`: waiting and failed records. */
export function addQueue(program: SheetCommand): void {
  const queue = program.command('queue').description('queues, waiting records and dead letters');
  queue
    .command('status')
    .description('show the number of messages in each queue, and of waiting records by reason')
    .csv()
    .sheet(status);
  queue
    .command('requeue')
    .description('retry dead letters')
    .addOption(new Option('--queue <name>', 'one queue only').choices(QUEUE_NAMES))
    .yes('agree beforehand')
    .example('--queue live')
    .sheet(requeue);
  addAdmit(queue);
}

/** Fields of a queue for `--csv`. */
const FIELDS = ['queue', 'waiting', 'inHand', 'delayed', 'deadLetters'] as const;
/** Names of the fields on a screen, in the same order. */
const COLUMNS = ['queue', 'waiting', 'in progress', 'delayed', 'dead letters'];

async function status(run: CommandRun): Promise<Sheet> {
  const { stack, queues, hasWorkers, services, policy, clock } = await run.connect();
  const counts = await countQueues(queues);
  const { spendBook, ledger, records, counted } = services;
  const { timeZone } = policy;
  const spent = await spendBook.read({ months: monthsNeeded({ nowMs: clock.now(), timeZone }) });
  const budgetsNow = await ledger.now();
  const facts = await readStops(services);
  const isStoppedByPerson = facts.breakers.stopped !== undefined;
  const waiting = await summarizeWaiting({ records, counted, budgetsNow, isStoppedByPerson }, spent.rows);
  const nowMs = clock.now();
  const stops = stopsOf({ facts, budgets: budgetsNow.states(), waiting, nowMs, stack: stack?.name });
  const fields = tableOf(FIELDS, counts);
  return {
    json: { hasWorkers, queues: counts, waiting, stops },
    body: [
      { ...fields, columns: COLUMNS },
      '',
      QUEUED_TWICE,
      ...waitingLines(waiting, nowMs, timeZone),
      ...stopLines({ stops, generatedAtMs: nowMs, timeZone }),
    ],
    csv: fields,
    notes: [
      ...(hasWorkers ? [] : ['No worker is running. To process the queue, run: npm start']),
      ...(deadIn(counts) > 0
        ? [wording`See "Dead letters" in the runbook, then run: ${command('queue requeue')}`]
        : []),
    ],
  };
}

/** Explains that messages and waiting records overlap, so that a person does not add the numbers. */
const QUEUED_TWICE =
  'These are messages. A waiting record below may also have one, so do not add the numbers.';

function waitingLines({ inTurn, timed, many }: WaitingSummary, nowMs: number, timeZone: string): string[] {
  const lines = inTurn.map((line) => waitingSentence(line, timeZone));
  lines.push(...timed.map((wait) => timedSentence(wait, nowMs, timeZone)));
  if (many) lines.push(howCounted(many, timeZone));
  return lines.length > 0 ? lines : ['No record waits.'];
}

async function requeue(
  run: CommandRun,
  { queue }: CommandOptions & { readonly queue?: QueueName },
): Promise<Sheet> {
  const { queues } = await run.connect();
  const names = queue ? [queue] : QUEUE_NAMES;
  const total = deadIn((await countQueues(queues)).filter((count) => names.includes(count.queue)));
  if (total > 0) {
    const letters = `About ${counted(total, 'dead letter')}`;
    await run.agree(`${letters}: sends them to the workers, which may spend credits`);
  }
  const moved = await moveDeadLetters(queues, names, run.progress({ total, noun: 'messages' }));
  const { requeued, unreadable } = moved;
  return {
    json: moved,
    body: [
      `${counted(requeued, 'message')} returned to the queue.`,
      ...(unreadable > 0
        ? [`${counted(unreadable, 'message')} not returned: damaged, or of another version.`]
        : []),
    ],
  };
}

function deadIn(counts: readonly QueueCounts[]): number {
  return counts.reduce((sum, { deadLetters }) => sum + deadLetters, 0);
}

/** Maximum of SQS for one request. */
const BATCH = 10;
/** Time for which a received message is hidden, so that one command does not receive it twice. */
const HIDDEN_S = 60;

interface Moved {
  readonly requeued: number;
  /** Messages that stay dead letters, because no worker could read them. */
  readonly unreadable: number;
}

/**
 * Moves dead letters back to their queue. It sends before it deletes, so that no message is lost. If it crashes in
 * between, a message is delivered twice. The worker recognises this by the record's state.
 */
async function moveDeadLetters(
  queues: LocalQueues,
  names: readonly QueueName[],
  show: (moved: number) => void,
): Promise<Moved> {
  let [requeued, unreadable] = [0, 0];
  for (const name of names) {
    for (;;) {
      show(requeued + unreadable);
      const messages = await receive(queues, queues.urls[name]);
      if (messages.length === 0) break;
      const readable = messages.filter(({ Body }) => decodeMessage(Body ?? '') !== undefined);
      requeued += await moveBatch(queues, queues.urls[name], readable);
      unreadable += messages.length - readable.length;
    }
  }
  return { requeued, unreadable };
}

async function receive({ sqs }: LocalQueues, { deadUrl }: QueueUrls): Promise<Message[]> {
  const request = { QueueUrl: deadUrl, MaxNumberOfMessages: BATCH, VisibilityTimeout: HIDDEN_S };
  // With a short wait, SQS asks all its servers. Without one, it can miss messages.
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ ...request, WaitTimeSeconds: 1 }));
  return Messages;
}

/** @returns the number of moved messages. Messages that SQS refused stay dead letters. */
async function moveBatch(
  { sqs }: LocalQueues,
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
