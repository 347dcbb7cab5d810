export {
  type BudgetPace,
  type BudgetRefusal,
  type BudgetState,
  budgetParts,
  daysToPay,
  type Expiry,
  nextExpiry,
  refusalSentence,
} from './budgets.ts';
export { csvHeader, csvLine, jsonLine } from './export.ts';
export {
  type Appended,
  type BudgetsNow,
  type CreditLedger,
  createLedger,
  createLedgerReader,
  joinReaders,
  type LedgerReader,
} from './ledger.ts';
export {
  type Decision,
  isResolution,
  type LedgerCommand,
  type NewReservation,
  resolutionReason,
} from './next-entry.ts';

export {
  type LedgerEntry,
  ledgerEntrySchema,
  type OpenReservation,
} from './schemas.ts';
export {
  balanceAfter,
  buildStatement,
  NO_STATEMENT,
  readStatement,
  type Statement,
  statedMonth,
  statementCsv,
  statementTable,
} from './statement.ts';
export { createLedgerStore, type LedgerStore, readLog } from './store.ts';
export { ledgerEntryKind, ledgerHeadKind, withUnknown } from './stored-kinds.ts';

export { isPersonsLimit, leadsPerDay } from './totals.ts';
export {
  type BooksCheck,
  canonical,
  isAhead,
  LOG_PROBLEMS,
  type LogProblemCode,
  type LogReport,
  verifyLog,
  verifyNewest,
} from './verify.ts';
