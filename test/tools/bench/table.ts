export type Row = readonly (string | number)[];

/** Renders a table in Markdown. */
export function table(header: Row, rows: readonly Row[]): string {
  const line = (row: Row) => `| ${row.join(' | ')} |`;
  return [line(header), line(header.map(() => '-')), ...rows.map(line)].join('\n');
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

/** The value below which the given share of all values lies; 0 for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
