import type { RecordState, Run } from './schemas.ts';
import { type BackfillOpening, openForBackfill } from './transitions.ts';

interface AnswerClaim extends Omit<BackfillOpening, 'maxCredits'> {
  /** Key of the question whose stored answer is to be written. */
  readonly questionKey: string;
  readonly owner: string;
  readonly claimMs: number;
}

/**
 * A stored answer is to be written once more: a run opens and is held at once. A worker that continues it, should its
 * holder be gone, may spend nothing.
 * @returns `undefined` where the record is no more, or is being worked on.
 */
export function claimWithAnswer(
  state: RecordState,
  { questionKey, owner, claimMs, ...opening }: AnswerClaim,
): (RecordState & { readonly run: Run }) | undefined {
  const opened = openForBackfill(state, { ...opening, maxCredits: 0 });
  if (!opened?.run) return undefined;
  const { waiting: _, ...rest } = opened;
  const run = { ...opened.run, answeredQuestion: questionKey };
  return { ...rest, run, claim: { owner, untilMs: opening.nowMs + claimMs } };
}
