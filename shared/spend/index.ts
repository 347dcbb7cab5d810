export {
  BACKFILL_MOVES,
  BACKFILL_STATES,
  type BackfillLimits,
  type BackfillReader,
  type BackfillSummary,
  limitWords,
  type OpenBackfill,
} from './backfills.ts';
export { type Charge, chargesCsv, listCharges, spendCsv } from './charges.ts';
export { BALANCE_TEXTS, billOf, compareBalance, signedCredits } from './compare-balance.ts';
export {
  framed,
  type HubSpotSite,
  hubSpotPages,
  pageLinks,
  refusalView,
  VIEWS,
  type View,
  widgetLinks,
  widgetOf,
} from './page/frame.ts';

export { statementNotes } from './page/statement.ts';
export {
  budgetLabel,
  inSelection,
  label,
  noCharge,
  selectionWords,
} from './page/tables.ts';
export { monthsNeeded, type ServiceKind, type SpendReport } from './report.ts';
export { CHARGE_OUTCOMES } from './schemas.ts';
export {
  isSelected,
  isWholeMonth,
  longestUpTo,
  MAX_DAYS,
  monthsOf,
  parseSelection,
  QUERY_REFUSALS,
  type Query,
  type QueryRefusalCode,
  type RefusedQuery,
  refusedQuery,
  selectionQuery,
  WITHOUT_RULE,
} from './selection.ts';
export { createSpendBook, recentMatchRate, type SpendBook, type VendorAnswers } from './spend-book.ts';
export { readStops, type Stop, type StopSources, stopName, stopsOf, stopTimes } from './stops.ts';
export { spendMonthKind } from './stored-kinds.ts';
export {
  FILE_CHARGES,
  pickedFrom,
  type ReportSources,
  readCharges,
  readMonthStatement,
  readReport,
  readView,
  reportSelection,
  type ViewSources,
  viewSources,
} from './views.ts';
export {
  howCounted,
  readTimedWaits,
  summarizeWaiting,
  type WaitingSummary,
  waitingRows,
} from './waiting.ts';
