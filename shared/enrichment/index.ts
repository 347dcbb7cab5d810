export { storedAnswerTo } from './ask/known-answer.ts';
export { cheapestQuestion, dearestCredits, worstCaseOfRefresh } from './ask/worst-case.ts';
export { advanceBackfills } from './backfill/advance.ts';
export { backfillExtension } from './backfill/halted.ts';
export type { BackfillItems } from './backfill/members.ts';
export { isOldQuote, moveBackfill, priceOfStep } from './backfill/move.ts';
export type { Backfill, Stratum } from './backfill/schemas.ts';
export { backfillKind, memberKind } from './backfill/stored-kinds.ts';
export { type BackfillSummary, limitWords, summaryOf, trialWords } from './backfill/summary.ts';
export { isActive, isHalted, newBackfill, stopped, trialOf } from './backfill/transitions.ts';
export { enrichBatch, type JobResult, noteBatch } from './enrich-batch.ts';
export { caught } from './failures.ts';
export { nextCheckAtMs } from './memory.ts';
export { type AppliedReport, applyPolicy } from './policy-change/apply.ts';
export {
  archiveOnce,
  beginApply,
  endApply,
  findApply,
  findPolicy,
  policyAt,
} from './policy-change/archive.ts';
export { comparePolicies, type PolicyComparison } from './policy-change/compare.ts';
export type { PropertyDifference } from './policy-change/comparison.ts';
export { planStored } from './policy-change/effects.ts';
export { wantedGroups } from './policy-change/groups.ts';
export { archivedPolicyKind } from './policy-change/stored-kinds.ts';
export { portalOf } from './read-records.ts';
export { expireValues, type RetentionCounts } from './removal/expire-values.ts';
export { planRemovals } from './removal/plan-removal.ts';
export { type ObtainedIn, recallValues } from './removal/recall.ts';
export { removeValues } from './removal/remove-values.ts';
export { dueRecords, mayBeDue } from './removal/retention.ts';
export { findWaiting, HELD_BACK, startRecords } from './requests/admit-waiting.ts';
export { carryOut } from './requests/carry-out.ts';
export { BUDGET_TAKEN, completeActions } from './requests/complete-actions.ts';
export { ASKER_GRACE_MS } from './requests/decide-installation.ts';
export { findingWords } from './requests/finding-words.ts';
export {
  eventKeyOfExecution,
  eventKeyOfRequest,
  type RequestItems,
} from './requests/items.ts';
export { type PlannedQuestion, type PlannedRequest, planRequest } from './requests/quote.ts';
export { type ViewServices, viewRecord } from './requests/record-view.ts';
export { rejectFinding } from './requests/reject-finding.ts';
export { REPLY_TEXTS, refusedReply } from './requests/reply-texts.ts';
export type { RequestServices } from './requests/request-services.ts';
export { REFUSALS } from './requests/request-undo.ts';
export {
  type ActionExecution,
  BACKFILL_MOVES,
  MAX_ADMITTED,
  type PersonRequest,
  type Reply,
  type WrongMatch,
} from './requests/schemas.ts';
export { spendingStop } from './requests/spending-stop.ts';
export { EXECUTION_DAYS, requestKind } from './requests/stored-kinds.ts';
export { acceptFindings } from './review/accept.ts';
export type { Acceptance, FindingName } from './review/acceptance.ts';
export { previewFindings } from './review/preview.ts';
export type {
  ClaimedRecord,
  EnrichmentObserver,
  EnrichmentServices,
  Extension,
  RecordReport,
} from './services.ts';
export { recordYield } from './settle-record.ts';
export { beginSorting, type RecordIdPage, sortPage } from './sorting/sort-records.ts';
export type { UndoReport } from './undo/plan-undo.ts';
export { type UndoResult, undoRecords } from './undo/undo.ts';
export { arrivedOf } from './write-back/arrived.ts';
export { isStatus, STATUS_PROPERTIES } from './write-back/draft.ts';
export type { WritePlan } from './write-back/plan-writes.ts';
