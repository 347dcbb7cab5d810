import type { QuestionOperation } from '#shared/questions';
import type { FindingKind } from '#shared/review';
import { companyIdOf } from '../read-records.ts';
import type { ClaimedRecord, RunOutcome } from '../services.ts';

/** What is known about a record after asking, before anything is written. */
export type RecordAnswer = FoundAnswer | EndedAnswer;

interface FoundAnswer {
  readonly kind: 'found';
  readonly held: ClaimedRecord;
  readonly answer: Readonly<Record<string, unknown>>;
  readonly operation: QuestionOperation;
  readonly questionKey: string;
  /** The company domain that the question named: the answer has to be about a person there. */
  readonly askedDomain: string | undefined;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
  readonly credits: number;
  /** A person has decided so: it is written, out of shadow, and in spite of what speaks against it. */
  readonly accepted?: FindingKind | undefined;
}

export interface EndedAnswer {
  readonly kind: 'ended';
  readonly held: ClaimedRecord;
  readonly runOutcome: RunOutcome;
  readonly tellCrm: boolean;
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
    tellCrm: false,
    runOutcome: { kind: 'deferred', ...wait, credits, learned: {} },
  };
}

export type Ending = Pick<Extract<RunOutcome, { kind: 'outcome' }>, 'outcome' | 'status' | 'reason'> &
  Partial<RunOutcome>;

export function ended(held: ClaimedRecord, runOutcome: Ending, tellCrm: boolean): EndedAnswer {
  const { outcome, status, reason, credits = held.run.credits } = runOutcome;
  const { staleAtMs } = held.state;
  const learned = {
    // It is still to be refreshed, at the price of another run.
    ...(runOutcome.learned?.isDearer && staleAtMs !== undefined && { staleAtMs }),
    ...runOutcome.learned,
    ...(companyIdOf(held.record) && { hadCompany: true }),
  };
  return {
    kind: 'ended',
    held,
    tellCrm,
    runOutcome: { kind: 'outcome', outcome, status, reason, credits, learned },
  };
}

/** How an operation looks a record up, in words. */
export const BY: Readonly<Record<QuestionOperation, string>> = {
  personProfile: 'by profile URL',
  reverseEmail: 'by email',
  lookUpPerson: 'by name and company',
  reversePhone: 'by phone',
  companyProfile: 'by company domain or page',
  searchPeople: 'by search',
  searchCompanies: 'by search',
  searchEmployees: 'by search',
  companiesByDomain: 'by company domain, among others in one search',
};
