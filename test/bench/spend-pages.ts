import { monthOfCharges } from '../builders/month-of-charges.ts';
import { openReporter } from '../unit/functions/report-spend/open-reporter.ts';
import { table } from './table.ts';

const CHARGES = 100_000;
const TIMES = 5;

const LOOKS: readonly (readonly [path: string, query: Readonly<Record<string, string>>])[] = [
  ['/spend', {}],
  ['/spend', { from: '2026-09-01', to: '2026-11-30', purpose: 'import' }],
  ['/spend/charges', {}],
  ['/spend/charges', { purpose: 'manual', operation: 'reverseEmail', outcome: 'no-match' }],
  ['/spend/charges', { record: 'contacts#4711' }],
  ['/spend/record', { type: 'contacts', id: '4711' }],
];

/**
 * Measures the reads, the size and the duration of each page for a month of 100,000 charges, over a store in memory.
 */
export async function measureSpendPages(): Promise<string> {
  const month = monthOfCharges(CHARGES);
  const reporter = openReporter({ startMs: month.nowMs, store: month.store });
  await reporter.spendBook.project();
  const rows = [];
  for (const [path, query] of LOOKS) {
    const tookMs: number[] = [];
    let bytes = 0;
    month.reads();
    for (let time = 0; time < TIMES; time += 1) {
      const startedAt = performance.now();
      bytes = Buffer.byteLength((await reporter.ask(path, { query })).body);
      tookMs.push(performance.now() - startedAt);
    }
    const { entries, requests } = month.reads();
    const median = tookMs.toSorted((a, b) => a - b)[Math.floor(TIMES / 2)] ?? 0;
    const words = `${path}?${new URLSearchParams(query)}`.replace(/\?$/, '');
    const cells = [entries / TIMES, requests / TIMES, Math.round(bytes / 1_000), Math.round(median)];
    rows.push([words, ...cells.map(String)] as const);
  }
  return table(['one look', 'entries read', 'requests to the ledger', 'KB', 'ms'], rows);
}
