export { claimWithAnswer } from './answer-claim.ts';
export { type Asked, joinReasons } from './asked.ts';
export { auditRuns } from './audit.ts';
export { changeRecord, type RecordItems } from './change-record.ts';
export type { CompanyClaims } from './company-claims.ts';
export { timedReason } from './count-waiting.ts';
export { type Days, matchRateIn, type NamedDay, withStops, yieldsOf } from './day/days.ts';
export type { DayStop, YieldCount, YieldKind } from './day/schemas.ts';
export {
  because,
  EXPLANATION_TEXTS,
  type ExplanationCode,
  explanationText,
  OPERATION_WORDS,
  shownExplanation,
  withNotes,
} from './explanations.ts';
export { historyOf, livingState } from './history.ts';
export type { Journal } from './journal.ts';
export { isUndo, leaves, runName, withResult } from './journal-entry.ts';
export { withdrawLater } from './later-runs.ts';
export { openForRefresh } from './open-for-refresh.ts';
export {
  accountMismatch,
  type OwnPortal,
} from './own-portal.ts';
export type { DeletionAudit, RetentionPass, RunSum, Suspect, WaitingCount } from './passes/schemas.ts';
export { continuePass, type PassPart } from './passes.ts';
export {
  type DueRecord,
  planRefresh,
  type RefreshPlanServices,
  staleRecords,
  sumCredits,
} from './plan-refresh.ts';
export { absorb, endOpenRun, foundAt, mergedAway } from './record-lifecycle.ts';
export {
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
  type OutcomeKind,
  type RecordState,
  type Removal,
  type Run,
  recordStateSchema,
  type SweepCursor,
} from './schemas.ts';
export { type Standing, standingOf, standingOfEvent } from './standing.ts';
export {
  lookedUpAgain,
  runStatus,
  standingWords,
  type WordedStanding,
  waitingWords,
  withWords,
} from './status-words.ts';
export {
  dayKind,
  deletionAuditKind,
  journalKind,
  pinnedPortalKind,
  recordKind,
  retentionPassKind,
  sweepCursorKind,
  waitingCountKind,
  writeBreakerKind,
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
export { admitted, admitUntil, dueNow, orphaned, putBack } from './waiting-transitions.ts';
export type { WriteBreakers, WriteOutcome } from './write-breaker.ts';
