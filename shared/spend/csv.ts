import { csvRecord } from '#shared/kernel';
import type { ChargePage } from './charges.ts';
import type { SpendRow } from './schemas.ts';

const COLUMNS = ['day', 'operation', 'purpose', 'outcome', 'credits', 'count', 'rule', 'askedBy'] as const;

/** Writes the rows under a header line. */
export function spendCsv(rows: readonly SpendRow[]): string {
  return [COLUMNS, ...rows.map((row) => COLUMNS.map((column) => String(row[column] ?? '')))]
    .map(csvRecord)
    .join('');
}

const CHARGE_COLUMNS = [
  'time',
  'day',
  'record',
  'operation',
  'purpose',
  'outcome',
  'credits',
  'questionKey',
  'seq',
  'rule',
  'askedBy',
] as const;

/** Writes the charges under a header line. `time` is ISO 8601 in UTC. If charges are missing, the last line says so. */
export function chargesCsv({ charges, nextSeq }: ChargePage): string {
  const rows = charges.map((charge) => ({ ...charge, time: new Date(charge.atMs).toISOString() }));
  const missing =
    nextSeq === undefined ? [] : [[`Not complete: charges before ledger entry ${nextSeq} are missing.`]];
  const cells = rows.map((row) => CHARGE_COLUMNS.map((column) => String(row[column] ?? '')));
  return [CHARGE_COLUMNS, ...cells, ...missing].map(csvRecord).join('');
}
