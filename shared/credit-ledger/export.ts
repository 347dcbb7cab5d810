import { keyInPortal } from '#shared/crm';
import { csvRecord } from '#shared/kernel';
import type { Owners } from '#shared/store';
import type { LedgerEntry } from './schemas.ts';
import { entryFields } from './stored-kinds.ts';
import { canonical } from './verify.ts';

/** Columns of the CSV, in order. `time` is ISO 8601 in UTC. `day` is the day of the budgets. */
const COLUMNS = [
  'account',
  'seq',
  'time',
  'day',
  'timeZone',
  'kind',
  'amountCredits',
  'operation',
  'purpose',
  'record',
  'reason',
  'reservationId',
  'questionKey',
  'id',
  'previousHash',
  'hash',
  'rule',
  'askedBy',
] as const;

/** An entry as a row, without the balance. Absent fields are empty. A record of this portal is its key. */
export type EntryRow = Readonly<Record<(typeof COLUMNS)[number], string | number>>;

export function entryRow(entry: LedgerEntry, { portal }: Owners): EntryRow {
  const { totals: _, open: __, atMs, ...stated } = entry;
  const {
    timeZone,
    operation = '',
    purpose = '',
    record: name = '',
    rule = '',
    askedBy = '',
    reason = '',
    reservationId = '',
    questionKey = '',
  } = stated;
  const time = new Date(atMs).toISOString();
  const record = keyInPortal(portal, name) ?? name;
  const askedFor = { operation, purpose, record, rule, askedBy };
  return { ...stated, ...askedFor, time, timeZone, reason, reservationId, questionKey };
}

/** The header line of the CSV, with its line end. */
export function csvHeader(): string {
  return csvRecord(COLUMNS);
}

/** One entry as RFC 4180, with its line end (CRLF). */
export function csvLine(entry: LedgerEntry, owners: Owners): string {
  const row = entryRow(entry, owners);
  return csvRecord(COLUMNS.map((column) => String(row[column])));
}

/**
 * One whole entry as a JSON line, with its line end. The line includes the balance, so that a reader can verify the
 * hash.
 */
export function jsonLine(entry: LedgerEntry): string {
  return `${canonical(entryFields(entry))}\n`;
}
