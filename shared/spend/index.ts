export { type Charge, listManyCharges } from './charges.ts';
export { BALANCE_TEXTS, compareBalance, signedCredits } from './compare-balance.ts';
export { chargesCsv, spendCsv } from './csv.ts';
export { framed, refusalView, widgetOf } from './page/frame.ts';
export {
  type HubSpotSite,
  hubSpotPages,
  pageLinks,
  VIEWS,
  type View,
  widgetLinks,
} from './page/links.ts';
export {
  budgetLabel,
  inSelection,
  label,
  noCharge,
  selectionWords,
  UNNAMED_NOT_INCLUDED,
} from './page/words.ts';
export { QUERY_REFUSALS, type QueryRefusalCode, type RefusedQuery, refusedQuery } from './query-refusals.ts';
export { type ReportSources, readReport } from './read-report.ts';
export { monthsNeeded, type ServiceKind, type SpendReport } from './report.ts';
export { CHARGE_OUTCOMES } from './schemas.ts';
export {
  isSelected,
  isWholeMonth,
  longestUpTo,
  MAX_DAYS,
  monthsOf,
  parseSelection,
  type Query,
  type Selection,
  selectionQuery,
  WITHOUT_RULE,
} from './selection.ts';
export { createSpendBook, type SpendBook, type VendorAnswers } from './spend-book.ts';
export { stopTimes } from './stop-words.ts';
export { readStops, type Stop, type StopSources, stopsOf } from './stops.ts';
export { spendMonthKind } from './stored-kinds.ts';
export { readTimedWaits, timedSentence } from './timed-waits.ts';
export { viewSources } from './view-sources.ts';
export {
  FILE_CHARGES,
  pickedFrom,
  readCharges,
  readMonthStatement,
  readView,
  reportSelection,
  type ViewSources,
} from './views.ts';
export { howCounted, summarizeWaiting, type WaitingSummary, waitingSentence } from './waiting-summary.ts';
