import type { RecordState, Run } from './schemas.ts';
import { type BackfillOpening, openForBackfill } from './transitions.ts';

interface AnswerClaim extends Omit<BackfillOpening, 'maxCredits'> {
  /** Key of the question whose stored answer the run writes again. */
  readonly questionKey: string;
  readonly owner: string;
  readonly claimMs: number;
}

/**
 * Opens a run that writes a stored answer again, and claims the record for it. Its price limit of 0 credits prevents a
 * later worker from spending credits.
 * @returns `undefined` if the record was merged or forgotten, or has an open run.
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
