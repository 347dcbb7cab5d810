import type { QuestionOperation } from '#shared/questions';
import type { FindingKind } from '#shared/review';
import { companyIdOf } from '../read-records.ts';
import type { ClaimedRecord, RunOutcome } from '../services.ts';
import type { ObtainedBefore } from './known-answer.ts';

/** Answer for a record, before anything is written. */
export type RecordAnswer = FoundAnswer | EndedAnswer;

interface FoundAnswer {
  readonly kind: 'found';
  readonly held: ClaimedRecord;
  readonly answer: Readonly<Record<string, unknown>>;
  readonly operation: QuestionOperation;
  readonly questionKey: string;
  /** Company domain in the question. The answer must be about a person at this company. */
  readonly askedDomain: string | undefined;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  readonly credits: number;
  /** When data about the person were first obtained, if it was read with the answer. */
  readonly obtainedBefore?: ObtainedBefore | undefined;
  /**
   * Set if a person accepted this answer. Then it is written even in shadow mode, and even if evidence speaks against
   * it.
   */
  readonly accepted?: FindingKind | undefined;
}

export interface EndedAnswer {
  readonly kind: 'ended';
  readonly held: ClaimedRecord;
  readonly runOutcome: RunOutcome;
  readonly writesStatus: boolean;
}

export function creditsOf(answered: RecordAnswer): number {
  return answered.kind === 'found' ? answered.credits : answered.runOutcome.credits;
}

type Wait = Omit<Extract<RunOutcome, { kind: 'deferred' }>, 'kind' | 'credits' | 'learned'>;

export function deferred(held: ClaimedRecord, wait: Wait): Extract<RecordAnswer, { kind: 'ended' }> {
  const { credits } = held.run;
  return {
    kind: 'ended',
    held,
    writesStatus: false,
    runOutcome: { kind: 'deferred', ...wait, credits, learned: {} },
  };
}

export type Ending = Pick<Extract<RunOutcome, { kind: 'outcome' }>, 'outcome' | 'status' | 'reason'> &
  Partial<RunOutcome>;

export function ended(held: ClaimedRecord, runOutcome: Ending, writesStatus: boolean): EndedAnswer {
  const { outcome, status, reason, credits = held.run.credits } = runOutcome;
  const { staleAtMs } = held.state;
  const learned = {
    // The record stays stale, so that another run at another price refreshes it.
    ...(runOutcome.learned?.isAbovePrice && staleAtMs !== undefined && { staleAtMs }),
    ...runOutcome.learned,
    ...(companyIdOf(held.record) && { hadCompany: true }),
  };
  return {
    kind: 'ended',
    held,
    writesStatus,
    runOutcome: { kind: 'outcome', outcome, status, reason, credits, learned },
  };
}
