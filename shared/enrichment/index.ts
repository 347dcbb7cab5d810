export { storedAnswerTo } from './ask/known-answer.ts';
export type { SkipReason } from './ask/plan.ts';
export { cheapestQuestion, worstCaseOfRefresh } from './ask/worst-case.ts';
export { advanceBackfills, rulesOf } from './backfill/advance.ts';
export { type BackfillItems, memberExpiry, memberPlace } from './backfill/members.ts';
export { type Backfill, backfillSchema, memberSchema, type Range, type Stratum } from './backfill/schemas.ts';
export { beginSorting, type RecordIdPage, sortPage } from './backfill/sort-records.ts';
export { type BackfillSummary, summaryOf } from './backfill/summary.ts';
export {
  approved,
  backfillKey,
  backfillPlace,
  canaryOf,
  isActive,
  isHalted,
  newBackfill,
  paused,
  resumed,
  started,
  stopped,
} from './backfill/transitions.ts';
export { enrichBatch, type JobResult, noteBatch } from './enrich-batch.ts';
export { attempt, isHubSpotFailure, meansUnreachable } from './failures.ts';
export { type AppliedReport, applyPolicy } from './policy-change/apply.ts';
export {
  archiveOnce,
  beginApply,
  endApply,
  findApply,
  findPolicy,
  policyPlace,
} from './policy-change/archive.ts';
export { comparePolicies, type PolicyComparison } from './policy-change/compare.ts';
export type { PropertyDifference, Refusals } from './policy-change/comparison.ts';
export { planStored } from './policy-change/effects.ts';
export type { RefreshCycle } from './policy-change/refresh-cycle.ts';
export { archivedPolicySchema } from './policy-change/schemas.ts';
export { carryOut, REFUSALS, type RequestServices } from './requests/carry-out.ts';
export { completeActions } from './requests/complete-actions.ts';
export {
  EXECUTION_DAYS,
  type ExecutionItems,
  eventKeyOfExecution,
  eventKeyOfRequest,
  executionExpiry,
  executionKey,
  executionPlace,
  type RequestItems,
  requestExpiry,
  requestKey,
  WRONG_MATCHES,
  wrongMatchPlace,
} from './requests/items.ts';
export { type PlannedQuestion, type PlannedRequest, planRequest } from './requests/quote.ts';
export { type ViewServices, viewRecord } from './requests/record-view.ts';
export {
  type ActionExecution,
  actionExecutionSchema,
  type PersonRequest,
  personRequestSchema,
  type Reply,
  type WrongMatch,
  wrongMatchSchema,
} from './requests/schemas.ts';
export { acceptFindings } from './review/accept.ts';
export type { Acceptance, FindingName } from './review/acceptance.ts';
export { previewFindings } from './review/preview.ts';
export { rejectFinding } from './review/reject.ts';
export type { EnrichmentObserver, EnrichmentServices, HeldRecord, RecordReport } from './services.ts';
export { keepBrought } from './settle-record.ts';
export type { UndoReport } from './undo/plan-undo.ts';
export { type UndoResult, undoRecord } from './undo/undo.ts';
export { arrivedOf } from './write-back/arrived.ts';
export { isStatus, STATUS_PROPERTIES } from './write-back/draft.ts';
export type { WritePlan } from './write-back/plan-writes.ts';
export { portalOf } from './write-back/write-back.ts';
