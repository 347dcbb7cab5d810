export { changeRecord, GROUP_SIZE, type Group, type RecordItems, wantedGroups } from './change-record.ts';
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
export {
  type Asked,
  claimWithAnswer,
  joinReasons,
  openAfterDoubt,
  openForBackfill,
  openForRefresh,
  openWaiting,
  withdrawLater,
} from './later-runs.ts';
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
export {
  type Change,
  type DayStop,
  type DeletionAudit,
  type JournalEntry,
  type Outcome,
  type OutcomeKind,
  type RecordState,
  type Removal,
  type Run,
  type RunSum,
  recordStateSchema,
  type SentAlerts,
  type SpendHead,
  type StopWait,
  type StoredStatus,
  type Suspect,
  type SweepMinute,
  type WaitingCount,
  type YieldCount,
  type YieldKind,
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
  absorb,
  admitUntil,
  arrive,
  beginRemoval,
  type Claim,
  commitCredits,
  defer,
  dueNow,
  endOpenRun,
  foundAt,
  isUnderWay,
  type Learned,
  lapsed,
  learnOwnership,
  mergedAway,
  note,
  orphaned,
  overruleReserve,
  putBack,
  type Removed,
  settle,
  takesNewestAnswer,
} from './transitions.ts';

export { earliestEndMs, endOfWait, eventThatEnds, WAIT_END_TEXTS, waitEnd, waitNow } from './wait-now.ts';
export { type WaitingReason, waitingCause } from './waiting-causes.ts';

export { createWriteBreakers, type WriteBreakers, type WriteOutcome } from './write-breaker.ts';
