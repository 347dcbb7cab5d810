export { carryOut } from './carry-out.ts';
export { BUDGET_TAKEN, completeActions } from './complete-actions.ts';
export { ASKER_GRACE_MS, findWaiting, HELD_BACK, spendingStop, startRecords } from './decide-installation.ts';
export {
  isAsked,
  type PlannedQuestion,
  type PlannedRequest,
  planRequest,
  planStoredAnswer,
} from './quote.ts';
export { type RecordView, type ViewServices, viewRecord } from './record-view.ts';
export { rejectFinding } from './reject-finding.ts';
export { REPLY_TEXTS, refusedReply } from './reply-texts.ts';
export {
  eventKeyOfExecution,
  eventKeyOfRequest,
  type RequestItems,
  type RequestServices,
} from './request-services.ts';
export {
  type ActionExecution,
  BACKFILL_MOVES,
  HOME_WISHES,
  MAX_ADMITTED,
  type PersonRequest,
  type Quote,
  RECORD_WISHES,
  type Reply,
  type WrongMatch,
} from './schemas.ts';
export { EXECUTION_DAYS, requestKind } from './stored-kinds.ts';
export { REFUSALS, readClaims } from './wrong-match.ts';
