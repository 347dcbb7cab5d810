import { csvRecord } from '#shared/kernel/csv.ts';
import type { Charge } from './charges.ts';
import type { SpendRow } from './schemas.ts';

const COLUMNS = ['day', 'operation', 'purpose', 'outcome', 'credits', 'count'] as const;

/** The rows under a header line. */
export function spendCsv(rows: readonly SpendRow[]): string {
  return [COLUMNS, ...rows.map((row) => COLUMNS.map((column) => String(row[column])))]
    .map(csvRecord)
    .join('');
}

const CHARGE_COLUMNS = [
  'time',
  'day',
  'record',
  'companies',
  'operation',
  'purpose',
  'outcome',
  'credits',
  'questionKey',
  'seq',
] as const;

/** Charges under a header line; `time` is ISO 8601 in UTC. */
export function chargesCsv(charges: readonly Charge[]): string {
  const rows = charges.map((charge) => ({ ...charge, time: new Date(charge.atMs).toISOString() }));
  return [CHARGE_COLUMNS, ...rows.map((row) => CHARGE_COLUMNS.map((column) => String(row[column] ?? '')))]
    .map(csvRecord)
    .join('');
}
