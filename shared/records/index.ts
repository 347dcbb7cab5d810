export { claimWithAnswer } from './answer-claim.ts';
export { type Asked, joinReasons } from './asked.ts';
export { auditNext, auditRuns } from './audit.ts';
export { changeRecord, type RecordItems } from './change-record.ts';
export { type CompanyClaims, createCompanyClaims } from './company-claims.ts';
export { countWaiting, lastWaiting, timedReason } from './count-waiting.ts';
export { createDays, type Days, matchRateIn, type NamedDay, withStops, yieldsOf } from './day/days.ts';
export type { DayStop, YieldCount, YieldKind } from './day/schemas.ts';
export { openAfterDoubt } from './decided-doubts.ts';
export {
  because,
  EXPLANATION_TEXTS,
  type ExplanationCode,
  explanationText,
  shownExplanation,
  withNotes,
} from './explanations.ts';
export { historyOf, livingState } from './history.ts';
export { measureIndexLag } from './index-lag.ts';
export { createJournal, type Journal } from './journal.ts';
export { isUndo, leaves, runName, withResult } from './journal-entry.ts';
export { withdrawLater } from './later-runs.ts';
export { openForRefresh } from './open-for-refresh.ts';
export {
  accountMismatch,
  createOwnPortal,
  type OwnPortal,
} from './own-portal.ts';
export { continuePass, type PassPart, type PassServices } from './passes.ts';
export {
  type DueRecord,
  planRefresh,
  type RefreshPlanServices,
  staleRecords,
  sumCredits,
} from './plan-refresh.ts';
export { absorb, endOpenRun, foundAt, mergedAway } from './record-lifecycle.ts';
export {
  backfillRunOf,
  doubtKey,
  isQueued,
  isStale,
  lostRuns,
  newRecordState,
  queuePlace,
  RECORD_PLACES,
  type RecordPlace,
  RUNNING_PLACES,
  recordPlace,
  runCounts,
  TIMED_PLACES,
  totalCredits,
  WAITING_PLACES,
  wasLookedUp,
  weightOf,
  wishKey,
} from './record-state.ts';
export { beginRemoval, isUnderWay, type Removed, takesNewestAnswer } from './removal.ts';
export { committedCredits, type RunCharges } from './run-charges.ts';
export {
  type Change,
  type JournalEntry,
  type Outcome,
  type OutcomeKind,
  type RecordState,
  type Removal,
  type Run,
  recordStateSchema,
} from './schemas.ts';
export { type Standing, standingOf, standingOfEvent } from './standing.ts';
export type {
  DeletionAudit,
  RunSum,
  SentAlerts,
  SpendHead,
  StoredStatus,
  Suspect,
  SweepMinute,
  WaitingCount,
} from './status/schemas.ts';
export {
  runStatus,
  standingWords,
  type WordedStanding,
  waitingWords,
  withWords,
} from './status-words.ts';
export {
  companyClaimKind,
  dayKind,
  journalKind,
  recordKind,
  type StatusItems,
  statusKind,
} from './stored-kinds.ts';
export { sweepCreated } from './sweep-created.ts';
export {
  type Arrival,
  arrive,
  type Claim,
  commitCredits,
  defer,
  type Learned,
  lapsed,
  learnOwnership,
  note,
  openForBackfill,
  openWaiting,
  settle,
} from './transitions.ts';
export { endOfWait, eventThatEnds, WAIT_END_TEXTS, waitEnd, waitNow } from './wait-now.ts';
export { type WaitingReason, waitingCause } from './waiting-causes.ts';
export { pickWaiting } from './waiting-pass.ts';
export { admitted, admitUntil, dueNow, orphaned, putBack } from './waiting-transitions.ts';
export { createWriteBreakers, type WriteBreakers, type WriteOutcome } from './write-breaker.ts';
