import { Command, Option } from 'commander';
import { counted } from '#shared/spend/figures.ts';
import type { Cli } from '../../cli.ts';
import { countQueues, QUEUE_NAMES, type QueueCounts, type QueueName } from '../../connection/queues.ts';
import { consent } from '../../terminal/consent.ts';
import { example } from '../../terminal/example.ts';
import { type OutputOptions, printJson, printSheet, withCsv, withJson } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';
import { moveDeadLetters } from './requeue.ts';

type RequeueOptions = OutputOptions & { readonly queue?: QueueName; readonly yes?: boolean };

/** `queue status|requeue`: what waits, and what was given up on. */
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
  return queue;
}

async function status(cli: Cli, options: OutputOptions): Promise<void> {
  await cli.connected(async ({ queues, hasWorkers }) => {
    const counts = await countQueues(queues);
    if (options.json) return printJson(cli.io, { hasWorkers, queues: counts });
    const columns = ['queue', 'waiting', 'inHand', 'delayed', 'deadLetters'] as const;
    const rows = counts.map((count) => columns.map((column) => String(count[column])));
    printSheet(cli.io, { columns, rows, right: [1, 2, 3, 4] }, options);
    const say = options.csv ? cli.io.err : cli.io.out;
    if (!hasWorkers) say('Nobody is at work: npm start works off what waits.\n');
    if (deadIn(counts) > 0) say('Dead letters: see the RUNBOOK for why, then run: queue requeue.\n');
  });
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
