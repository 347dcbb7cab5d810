export { barredBy, freeSourcesUntilMs, type RecordAnswer, removalReason } from './ask/endings.ts';

export { knownAnswer, knownOf, linkCompany, subjectKeys } from './ask/known-answer.ts';
export {
  ownQuestionAnsweredBy,
  ownQuestions,
  type Plan,
  planFromRecord,
  planInputOf,
  planPurchase,
  planQuestions,
} from './ask/plan-record.ts';
export {
  agreedCredits,
  cheapestQuestion,
  dearestCredits,
  noteAnswer,
  ownLimitReason,
  worstCaseOf,
  worstCaseOfRefresh,
} from './ask/price-limit.ts';
export { holdRecord } from './claim.ts';
export { enrichBatch, type JobResult, noteBatch } from './enrich-batch.ts';
export {
  fingerprintOf,
  isFresh,
  isNeverDue,
  nextCheckAtMs,
  ownershipOf,
  paidFor,
  wasUndone,
} from './memory.ts';
export {
  knownProperties,
  type PortalShape,
  portalOf,
  readRecords,
  readWithCompanies,
} from './read-records.ts';
export {
  type ClaimedRecord,
  caught,
  type EnrichmentObserver,
  type EnrichmentServices,
  type Extension,
  hasSentNothing,
  hubSpotFailure,
  type RecordClaim,
  type RecordReport,
  type RunOutcome,
  reopensAfter,
  type StepServices,
  type SweepStep,
  withdrawn,
} from './services.ts';

export { recordYield, settleRecord, storeFindings } from './settle-record.ts';
export {
  arrivedOf,
  authorOf,
  backOf,
  broughtBackOf,
  isOurs,
  lastWrite,
  NOTHING_RECOVERED,
  type RecoveredRecord,
  readWithEmptied,
  unknownBlanks,
  WRITE_LIFETIME_MS,
} from './write-back/by-history.ts';
export { draftsOf, isStatus, type LeftOut, STATUS_PROPERTIES } from './write-back/draft.ts';
export {
  differingStatuses,
  guardedWrites,
  type PlannedWrite,
  plannedChanges,
  type WriteResult,
  type Writer,
  withoutRefusedReturns,
} from './write-back/guarded-writes.ts';
export { planStored, planWrites, type WritePlan } from './write-back/plan-writes.ts';
export { plannedProperties, type RunEnd, writeBack } from './write-back/write-back.ts';
