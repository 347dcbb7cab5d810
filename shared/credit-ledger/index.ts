export { type BudgetPace, type BudgetRefusal, type BudgetState, budgetParts, daysToPay } from './budgets.ts';
export { canonical } from './chain.ts';
export type { LedgerCommand, NewReservation } from './command.ts';
export { csvHeader, csvLine, jsonLine } from './export.ts';
export {
  type Appended,
  type BudgetsNow,
  type CreditLedger,
  createLedger,
  createLedgerReader,
  type LedgerReader,
} from './ledger.ts';
export { LOG_PROBLEMS, type LogProblemCode } from './log-problems.ts';
export type { Decision } from './next-entry.ts';
export { NO_STATEMENT, readStatement } from './read-statement.ts';
export { refusalSentence } from './refusal-sentence.ts';
export { isResolution, resolutionReason } from './resolution-reason.ts';
export {
  type LedgerEntry,
  ledgerEntrySchema,
  type OpenReservation,
} from './schemas.ts';
export { isAhead } from './set-back.ts';
export {
  balanceAfter,
  buildStatement,
  type Statement,
  statedMonth,
} from './statement.ts';
export { statementCsv, statementTable } from './statement-table.ts';
export { createLedgerStore, type LedgerStore, readLog } from './store.ts';
export { withUnknown } from './stored-entry.ts';
export { ledgerEntryKind, ledgerHeadKind } from './stored-kinds.ts';
export { isPersonsLimit, leadsPerDay } from './totals.ts';
export { type BooksCheck, type LogReport, verifyLog, verifyNewest } from './verify.ts';
