import type { Admission } from '#shared/field-policy';
import { HOUR_MS, MINUTE_MS } from '#shared/kernel';
import type { Explanation } from '#shared/ownership';
import type { QuestionOperation } from '#shared/questions';
import { because, explanationText, type Removal } from '#shared/records';
import type { FindingKind } from '#shared/review';
import { isRequestedByPerson } from '../memory.ts';
import { companyIdOf, readRecords } from '../read-records.ts';
import type { ClaimedRecord, EnrichmentServices, RunOutcome } from '../services.ts';
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

/** Retry interval. The record continues by itself after a person has corrected the policy or the account. */
const UNREADABLE_MS = HOUR_MS;

/** Reason of the policy's rules against a lookup. */
export type Barred =
  | { readonly kind: 'not-admitted' | 'not-refreshed'; readonly reason: Explanation }
  | { readonly kind: 'unreadable'; readonly reason: Explanation }
  /** Free sources can fill the record until `untilMs`, epoch milliseconds. */
  | { readonly kind: 'waiting'; readonly reason: Explanation; readonly untilMs: number };

type BarrableRecord = Pick<ClaimedRecord, 'admission' | 'record' | 'run' | 'state'>;

/** Returns the rules' reason against a lookup now; `undefined` if the record may be looked up. */
export function barredBy(
  { admission, record, run, state }: BarrableRecord,
  nowMs: number,
): Barred | undefined {
  const { missing, enrich, onRequest, refresh, afterRetention, waitMinutes } = admission;
  // While a removal is in progress, no rule admits the record, because the removal would also take new values.
  if (state.removal && !(state.removal.isDone && afterRetention))
    return { kind: 'not-admitted', reason: removalReason(state.removal) };
  const { rule = '' } = admission;
  if (missing !== undefined) {
    return { kind: 'unreadable', reason: because('rule-unreadable', { rule, property: missing }) };
  }
  const isPersonsRequest = isRequestedByPerson({ run });
  if (!enrich && !(onRequest && isPersonsRequest))
    return { kind: 'not-admitted', reason: notAdmittedReason(admission) };
  if (!refresh && run.purpose === 'refresh')
    return { kind: 'not-refreshed', reason: because('rule-refreshes-not', { rule }) };
  const untilMs = freeSourcesUntilMs({ admission, record });
  if (isPersonsRequest || waitMinutes === 0 || nowMs >= untilMs) return undefined;
  return { kind: 'waiting', reason: because('free-sources-first', { rule }), untilMs };
}

/**
 * Returns the time until which free sources may fill the record, epoch milliseconds. A person's request does not wait
 * for them.
 */
export function freeSourcesUntilMs({
  admission,
  record,
}: Pick<ClaimedRecord, 'admission' | 'record'>): number {
  return record.createdAtMs + admission.waitMinutes * MINUTE_MS;
}

/** Explains to a person why a record lost its values and gets no new ones. */
export function removalReason({ by, rule = '' }: Removal): Explanation {
  return by === 'retention' ? because('values-expired', { rule }) : because('values-recalled');
}

/** Explains to a person why a record is not looked up. */
function notAdmittedReason({ rule = '', fits }: Admission): Explanation {
  return fits ? because('rule-excludes', { rule }) : because('no-rule');
}

/** Ends or postpones a record that the policy's rules bar; `undefined` if they do not. */
export function endBarred(
  services: Pick<EnrichmentServices, 'clock'>,
  held: ClaimedRecord,
  { isKept }: { readonly isKept: boolean },
): Extract<RecordAnswer, { kind: 'ended' }> | undefined {
  const nowMs = services.clock.now();
  const barred = barredBy(held, nowMs);
  if (!barred) return undefined;
  const { reason } = barred;
  const why = { detail: explanationText(reason), params: reason.params };
  if (barred.kind === 'waiting')
    return deferred(held, { reason: 'free-sources-first', ...why, untilMs: barred.untilMs });
  if (barred.kind === 'unreadable')
    return deferred(held, { reason: 'rule-unreadable', ...why, untilMs: nowMs + UNREADABLE_MS });
  if (!isKept) return ended(held, { outcome: 'skipped', reason }, true);
  // A removal writes its own status.
  if (held.state.removal) return ended(held, { outcome: 'unchanged', reason }, false);
  // The record's values stay. So does its fingerprint, because its next run must see every change since the last answer.
  const { fingerprint } = held.state;
  const status = barred.kind === 'not-admitted' ? 'skipped' : undefined;
  const learned = fingerprint === undefined ? {} : { fingerprint };
  return ended(held, { outcome: 'unchanged', status, reason, learned }, true);
}

/** Longest age of a read when a request is sent. */
const READ_VALID_MS = MINUTE_MS;

/**
 * Builds a check, right before a request, that the rules still admit the record. It reads the record again if the last
 * read is a minute old.
 * @returns `undefined` if no rule decided about it.
 */
export function isAdmittedStill(
  services: Pick<EnrichmentServices, 'crm' | 'policy' | 'clock'>,
  held: ClaimedRecord,
): (() => Promise<boolean>) | undefined {
  const { rule } = held.admission;
  if (rule === undefined) return undefined;
  let lastRead: ClaimedRecord | undefined = held;
  return async () => {
    const nowMs = services.clock.now();
    if (!lastRead || nowMs - lastRead.readAtMs >= READ_VALID_MS)
      [lastRead] = (await readRecords(services, held.objectType, [held])).found;
    return lastRead?.admission.rule === rule && !barredBy(lastRead, nowMs);
  };
}
