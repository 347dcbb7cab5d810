export { whatItBrought } from './brought.ts';
export { type Charge, type ChargePage, listManyCharges } from './charges.ts';
export { chargesCsv, spendCsv } from './csv.ts';
export { daysUpTo } from './days.ts';
export {
  counted,
  countedRange,
  figure,
  figureRange,
  instant,
  longMonth,
  percent,
  withHundredths,
  withTenths,
} from './figures.ts';
export { usedUpWords } from './forecast.ts';
export { chargesView } from './page/charges-view.ts';
export { framed, type Shown } from './page/frame.ts';
export { html } from './page/html.ts';
export { budgetLabel, label } from './page/labels.ts';
export { type Links, pageLinks, VIEWS, type View, widgetLinks } from './page/links.ts';
export { reportView } from './page/page.ts';
export { recordView } from './page/record-view.ts';
export { parseReview, reviewView } from './page/review-view.ts';
export { inSelection, noCharge, selectionWords } from './page/selection-words.ts';
export { waitingView } from './page/waiting-view.ts';
export { widgetOf } from './page/widget.ts';
export { type ReportSources, readReport } from './read-report.ts';
export { lookAtRecord, parseRecordName } from './record-look.ts';
export { doubtCount, monthsNeeded, type ServiceKind, type SpendReport } from './report.ts';
export { CHARGE_OUTCOMES, spendHeadSchema, spendMonthSchema } from './schemas.ts';
export { type Spend, sum } from './selected-spend.ts';
export {
  isSelected,
  isWholeMonth,
  longestUpTo,
  MAX_DAYS,
  monthsOf,
  parseSelection,
  type Query,
  type Refused,
  type Selected,
  type Selection,
  selectionQuery,
} from './selection.ts';
export { createSpendBook, type SpendBook, type VendorAnswers } from './spend-book.ts';
export { stopTimes } from './stop-words.ts';
export { REMEDIES, readStops, type Stop, stopsOf } from './stops.ts';
export { endOfWait, timedSentence } from './timed-waits.ts';
export { listWaiting, parseWaiting } from './waiting-list.ts';
export { waitingWords } from './waiting-words.ts';
export { howCounted, type WhoWaits, waitingSentence, whoWaits } from './who-waits.ts';
