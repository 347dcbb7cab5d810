export { changeRecord, type RecordItems } from './change-record.ts';
export { type CompanyClaims, createCompanyClaims } from './company-claims.ts';
export { createDays, type Days, type NamedDay, type SeenStop, withStops, yieldsOf } from './days.ts';
export {
  because,
  EXPLANATION_TEXTS,
  type ExplanationCode,
  explanationText,
  shownExplanation,
  withNotes,
} from './explanations.ts';
export {
  createJournal,
  historyOf,
  isUndo,
  type Journal,
  leaves,
  livingState,
  runName,
  withResult,
} from './journal.ts';
export { type Asked, joinReasons, withdrawLater } from './later-runs.ts';
export { absorb, endOpenRun, foundAt, mergedAway } from './merge-transitions.ts';
export { claimWithAnswer, openAfterDoubt, openForBackfill, openForRefresh, openWaiting } from './openings.ts';
export {
  accountMismatch,
  createOwnPortal,
  measureIndexLag,
  type OwnPortal,
} from './own-portal.ts';
export {
  auditNext,
  auditRuns,
  continuePass,
  countWaiting,
  lastWaiting,
  type PassPart,
  type PassServices,
  pickWaiting,
  timedReason,
} from './passes.ts';
export {
  type DueRecord,
  planRefresh,
  type RefreshPlanServices,
  staleRecords,
  sumCredits,
} from './plan-refresh.ts';
export { GROUP_SIZE, type Group, wantedGroups } from './record-groups.ts';
export {
  backfillRunOf,
  committedCredits,
  doubtKey,
  isQueued,
  isStale,
  lostRuns,
  newRecordState,
  queuePlace,
  RECORD_PLACES,
  type RecordPlace,
  RUNNING_PLACES,
  type RunCharges,
  recordPlace,
  runCounts,
  TIMED_PLACES,
  totalCredits,
  unlistedCredits,
  WAITING_PLACES,
  wasLookedUp,
  weightOf,
  wishKey,
} from './record-state.ts';
export { beginRemoval, isUnderWay, type Removed, takesNewestAnswer } from './removal-transitions.ts';
export type {
  DayStop,
  DeletionAudit,
  RunSum,
  SentAlerts,
  SpendHead,
  StopWait,
  StoredStatus,
  Suspect,
  SweepMinute,
  WaitingCount,
  YieldCount,
  YieldKind,
} from './schemas.ts';
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
export {
  runStatus,
  type Standing,
  standingOf,
  standingOfEvent,
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
  settle,
} from './transitions.ts';
export { earliestEndMs, endOfWait, eventThatEnds, WAIT_END_TEXTS, waitEnd, waitNow } from './wait-now.ts';
export { type WaitingReason, waitingCause } from './waiting-causes.ts';
export { admitUntil, dueNow, orphaned, overruleReserve, putBack } from './waiting-transitions.ts';
export { createWriteBreakers, type WriteBreakers, type WriteOutcome } from './write-breaker.ts';
