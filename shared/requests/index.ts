export { carryOut } from './carry-out.ts';
export { readClaims, rejectWrongMatch } from './claims.ts';
export { BUDGET_TAKEN, completeActions } from './complete-actions.ts';
export { ASKER_GRACE_MS, findWaiting, HELD_BACK, spendingStop, startRecords } from './decide-installation.ts';
export {
  isAsked,
  type PlannedQuestion,
  type PlannedRequest,
  planRequest,
  planStoredAnswer,
  quoteRecord,
} from './quote.ts';
export { type RecordView, type ViewServices, viewRecord } from './record-view.ts';
export { REPLY_TEXTS, refusedReply, repliesOf } from './reply-texts.ts';
export {
  eventKeyOfExecution,
  eventKeyOfRequest,
  type RequestItems,
  type RequestServices,
  type WishHandler,
} from './request-services.ts';
export {
  type ActionExecution,
  HOME_WISHES,
  MAX_ADMITTED,
  type PersonRequest,
  type Quote,
  quoteWish,
  type Reply,
  type WrongMatch,
} from './schemas.ts';
export { EXECUTION_DAYS, requestKind } from './stored-kinds.ts';
export {
  type AskedForRecord,
  homeWish,
  recordWish,
  type WishOf,
  type WishSchema,
} from './wishes.ts';
