export { type AdvanceServices, advanceBackfills, type BackfillItems } from './advance.ts';
export { backfillExtension, reopensAfter } from './extension.ts';
export { type BackfillMoved, isOldQuote, moveBackfill, priceOfStep } from './move.ts';
export type { Backfill, Stratum } from './schemas.ts';
export { beginSorting, type RecordIdPage, sortPage } from './sorting.ts';
export { backfillKind, memberKind } from './stored-kinds.ts';
export { type BackfillSummary, daysLeft, limitWords, summaryOf, trialWords } from './summary.ts';
export { examplesOf, isActive, isHalted, newBackfill, stopped, trialOf } from './transitions.ts';
