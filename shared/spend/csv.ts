import type { SpendRow } from './projection.ts';

const COLUMNS = ['day', 'operation', 'purpose', 'outcome', 'credits', 'count'] as const;

/** The rows as RFC 4180: a header line, CRLF, quotes only where they are needed. */
export function spendCsv(rows: readonly SpendRow[]): string {
  const lines = rows.map((row) => COLUMNS.map((column) => field(String(row[column]))));
  return [[...COLUMNS], ...lines].map((fields) => `${fields.join(',')}\r\n`).join('');
}

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
