import { ASKER_GRACE_MS } from '#shared/enrichment';
import { counted } from '#shared/kernel';
import { resolveDoubt } from '#shared/questions';
import { reopenRecord } from '#shared/work-queue';
import type { CommandRun } from '../../sheet-command.ts';
import type { Sheet } from '../../terminal/sheet.ts';

interface ResolvingAll {
  readonly charged: boolean;
  readonly note: string;
  /** Epoch milliseconds. */
  readonly before: number | undefined;
}

/** Resolves open doubts one by one. After an interruption, the same command resolves the remaining doubts. */
export async function resolveAll(
  run: CommandRun,
  { charged, note, before = Number.POSITIVE_INFINITY }: ResolvingAll,
): Promise<Sheet> {
  const { services, clock, newId } = await run.connect();
  const reopening = { ...services, clock, newId };
  const doubts = (await services.openDoubts()).filter(({ sentAtMs }) => sentAtMs < before);
  const worst = doubts.reduce((sum, { credits }) => sum + credits, 0);
  const end = charged ? 'book them as charged' : 'give the credits back';
  if (doubts.length > 0)
    await run.agree(`${counted(doubts.length, 'doubt')} of ${counted(worst, 'credit')} at most: ${end}`);
  const done = { resolved: 0, credits: 0, tooEarly: 0, gone: 0 };
  const show = run.progress({ total: doubts.length, noun: 'doubts' });
  for (const [index, { questionKey }] of doubts.entries()) {
    show(index);
    const resolved = await resolveDoubt(
      services.questions,
      { questionKey, charged, note },
      { graceMs: ASKER_GRACE_MS },
    );
    if (resolved.kind === 'resolved') {
      done.credits += resolved.credits;
      if (resolved.record !== undefined) await reopenRecord(reopening, resolved.record, 'operator');
    }
    done[ENDS[resolved.kind]] += 1;
  }
  const { resolved, credits, tooEarly, gone } = done;
  return {
    json: done,
    body: [
      `Resolved: ${counted(resolved, 'doubt')}, ${counted(credits, 'credit')} booked.`,
      ...(tooEarly > 0
        ? [`Left: ${counted(tooEarly, 'doubt')}, because an answer may still come. Run it again later.`]
        : []),
      ...(gone > 0 ? [`Resolved meanwhile by others: ${counted(gone, 'doubt')}.`] : []),
    ],
  };
}

const ENDS = { resolved: 'resolved', 'too-early': 'tooEarly', 'no-doubt': 'gone' } as const;
