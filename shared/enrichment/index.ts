export type { RecordAnswer } from './ask/answered.ts';
export { barredBy, freeSourcesUntilMs, removalReason } from './ask/barred-by-rules.ts';
export { knownAnswer, knownOf, linkCompany, storedAnswerTo, subjectKeys } from './ask/known-answer.ts';
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
export { hasSentNothing, reopensAfter, withdrawn } from './ask-extensions.ts';
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
  hubSpotFailure,
  type RecordClaim,
  type RecordReport,
  type RunOutcome,
  type StepServices,
  type SweepStep,
} from './services.ts';
export { recordYield, settleRecord, storeFindings } from './settle-record.ts';
export { plannedProperties } from './write-back/answer-writer.ts';
export {
  authorOf,
  lastWrite,
  readWithEmptied,
  unknownBlanks,
} from './write-back/by-history.ts';
export { draftsOf, type LeftOut } from './write-back/draft.ts';
export {
  differingStatuses,
  guardedWrites,
  type PlannedWrite,
  plannedChanges,
  type WriteResult,
  type Writer,
  withoutRefusedReturns,
} from './write-back/guarded-writes.ts';
export { planStored } from './write-back/plan-stored.ts';
export { planWrites, type WritePlan } from './write-back/plan-writes.ts';
export {
  arrivedOf,
  backOf,
  broughtBackOf,
  isOurs,
  NOTHING_RECOVERED,
  type RecoveredRecord,
  WRITE_LIFETIME_MS,
} from './write-back/recover.ts';
export { isStatus, STATUS_PROPERTIES } from './write-back/statuses.ts';
export { type RunEnd, writeBack } from './write-back/write-back.ts';
