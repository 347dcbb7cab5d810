import { csvRecord } from '#shared/kernel/csv.ts';
import type { SpendRow } from './schemas.ts';

const COLUMNS = ['day', 'operation', 'purpose', 'outcome', 'credits', 'count'] as const;

/** The rows under a header line. */
export function spendCsv(rows: readonly SpendRow[]): string {
  return [COLUMNS, ...rows.map((row) => COLUMNS.map((column) => String(row[column])))]
    .map(csvRecord)
    .join('');
}
