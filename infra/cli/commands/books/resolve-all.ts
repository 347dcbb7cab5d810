import { counted } from '#shared/kernel';
import { resolveDoubt } from '#shared/questions';
import type { Cli } from '../../cli.ts';
import { consent } from '../../terminal/consent.ts';
import { type OutputOptions, printJson } from '../../terminal/output.ts';
import { createProgress } from '../../terminal/progress.ts';

interface ResolvingAll extends OutputOptions {
  readonly charged: boolean;
  readonly note: string;
  /** Epoch milliseconds. */
  readonly before?: number;
  readonly yes?: boolean;
}

/** Resolves open doubts one by one. After an interruption, the same command continues with the rest. */
export async function resolveAll(cli: Cli, options: ResolvingAll): Promise<void> {
  const { charged, note, before = Number.POSITIVE_INFINITY, yes = false, json } = options;
  const { io } = cli;
  await cli.connected(async ({ services, askerGraceMs: graceMs }) => {
    const doubts = (await services.openDoubts()).filter(({ sentAtMs }) => sentAtMs < before);
    const worst = doubts.reduce((sum, { credits }) => sum + credits, 0);
    const end = charged ? 'book them as charged' : 'give the credits back';
    const question = `${counted(doubts.length, 'doubt')} of ${counted(worst, 'credit')} at most: ${end}`;
    if (doubts.length > 0) await consent(io, { question, yes });
    const done = { resolved: 0, credits: 0, tooEarly: 0, gone: 0 };
    const progress = createProgress(io, { total: doubts.length, noun: 'doubts' });
    for (const [index, { questionKey }] of doubts.entries()) {
      io.signal?.throwIfAborted();
      const resolved = await resolveDoubt(services.questions, { questionKey, charged, note }, { graceMs });
      if (resolved.kind === 'resolved') done.credits += resolved.credits;
      done[ENDS[resolved.kind]] += 1;
      progress.update(index + 1);
    }
    progress.end();
    if (json) return printJson(io, done);
    io.out(`Resolved: ${counted(done.resolved, 'doubt')}, ${counted(done.credits, 'credit')} booked.\n`);
    if (done.tooEarly > 0)
      io.out(
        `Left: ${counted(done.tooEarly, 'doubt')}, because an answer may still come. Run it again later.\n`,
      );
    if (done.gone > 0) io.out(`Resolved meanwhile by others: ${counted(done.gone, 'doubt')}.\n`);
  });
}

const ENDS = { resolved: 'resolved', 'too-early': 'tooEarly', 'no-doubt': 'gone' } as const;
