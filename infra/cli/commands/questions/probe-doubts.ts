import { command, counted, type Wording, wording } from '#shared/kernel';
import { questionKey, type StoredDoubt } from '#shared/questions';
import type { DataServiceStep } from '../../../local/rehearsal/data-service-assumptions.ts';
import type { Connection } from '../../connection/connection.ts';
import type { CommandRun } from '../../sheet-command.ts';
import type { ProbeStep } from './probe-steps.ts';

/** A question of the probe that was sent and got no answer. It is not sent again before a person resolves it. */
export interface ProbeDoubt {
  readonly step: ProbeStep;
  readonly doubt: StoredDoubt;
}

/** Reads the open doubts about these steps' questions. */
export async function doubtsOf(
  { services }: Connection,
  steps: readonly ProbeStep[],
): Promise<readonly ProbeDoubt[]> {
  const open = new Map((await services.openDoubts()).map((doubt) => [doubt.questionKey, doubt]));
  return steps.flatMap((step) => {
    const doubt = open.get(questionKey(step.question, services.digest));
    return doubt ? [{ step, doubt }] : [];
  });
}

/** Names each open doubt about these steps' questions, its credits and the command that resolves it. */
export async function sayDoubts(
  run: Pick<CommandRun, 'say'>,
  connection: Connection,
  steps: readonly ProbeStep[],
): Promise<readonly ProbeDoubt[]> {
  const doubts = await doubtsOf(connection, steps);
  for (const doubt of doubts) run.say(doubtLine(doubt));
  return doubts;
}

/** ` In doubt: 1 credit.`, or nothing. */
export function creditsInDoubt(doubts: readonly ProbeDoubt[]): string {
  const credits = doubtfulCreditsOf(doubts);
  return credits === 0 ? '' : ` In doubt: ${counted(credits, 'credit')}.`;
}

export function doubtfulCreditsOf(doubts: readonly ProbeDoubt[]): number {
  return doubts.reduce((sum, { doubt }) => sum + doubt.credits, 0);
}

function doubtLine({ step, doubt: { credits, sentAtMs, questionKey: key } }: ProbeDoubt): Wording {
  const sent = `The question about ${step.about}, sent ${new Date(sentAtMs).toISOString()}, is in doubt`;
  const price = `it may have cost ${counted(credits, 'credit')}`;
  const resolve = command(`doubts resolve ${key} --charged|--not-charged --note "..."`);
  return wording`${sent}: ${price}. It is not sent again. See the usage list, then run: ${resolve}`;
}

/** Reason of each step that cannot be answered because of a doubt. */
export function inDoubt(doubts: readonly ProbeDoubt[]): ReadonlyMap<DataServiceStep, string> {
  return new Map(
    doubts.map(({ step, doubt }) => [
      step.name,
      `its question is in doubt (${counted(doubt.credits, 'credit')}): resolve the doubt, then probe again`,
    ]),
  );
}
