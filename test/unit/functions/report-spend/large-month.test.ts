import { beforeAll, describe, expect, it } from 'vitest';
import { type MonthOfCharges, monthOfCharges } from '../../../harness/month-of-charges.ts';
import { openReporter } from './open-reporter.ts';

const CHARGES = 30_000;
/** Of a list of charges, and of the newest ones that are not summed up yet. */
const MOST_ENTRIES = 1_100;
const MOST_REQUESTS = 60;
const MOST_BYTES = 300_000;

let month: MonthOfCharges;
let reporter: ReturnType<typeof openReporter>;

beforeAll(async () => {
  month = monthOfCharges(CHARGES);
  reporter = openReporter({ startMs: month.nowMs, store: month.store });
  await reporter.spendBook.project();
});

describe('a month of 30,000 charges', () => {
  it.each<[path: string, query: Record<string, string>]>([
    ['/spend', {}],
    ['/spend', { from: '2026-09-01', to: '2026-11-30' }],
    ['/spend.json', {}],
    ['/spend.csv', {}],
    ['/spend/charges', {}],
    ['/spend/charges', { purpose: 'manual', operation: 'reverseEmail', outcome: 'no-match' }],
    ['/spend/charges', { before: '30000' }],
    ['/spend/waiting', {}],
  ])('is answered from a bounded part of it, in under 300 KB: %s %j', async (path, query) => {
    month.reads();
    const { statusCode, body } = await reporter.ask(path, { query });
    const { entries, requests } = month.reads();
    expect(statusCode).toBe(200);
    expect(entries).toBeLessThanOrEqual(MOST_ENTRIES);
    expect(requests).toBeLessThanOrEqual(MOST_REQUESTS);
    expect(Buffer.byteLength(body)).toBeLessThan(MOST_BYTES);
  });

  it.each<[path: string, query: Record<string, string>]>([
    ['/spend/charges.json', {}],
    ['/spend/charges.csv', { record: 'contacts#4711' }],
    ['/spend/charges', { record: 'contacts#4711' }],
  ])(
    'is a file, or a list of one record, of at most 6 MB, from a bounded part of it: %s %j',
    async (path, query) => {
      month.reads();
      const { statusCode, body } = await reporter.ask(path, { query });
      const { entries, requests } = month.reads();
      expect(statusCode).toBe(200);
      expect(entries).toBeLessThanOrEqual(60 * MOST_ENTRIES);
      expect(requests).toBeLessThanOrEqual(60 * 20);
      expect(Buffer.byteLength(body)).toBeLessThan(6_000_000);
    },
  );

  it('knows the sums of all of them, and where those lie that were long in doubt', async () => {
    const { body } = await reporter.ask('/spend/charges.json', { query: { outcome: 'other' } });
    const { selected, charges } = JSON.parse(body);
    expect(selected.count).toBe(CHARGES / 1_000);
    expect(charges).toHaveLength(CHARGES / 1_000);
    expect(month.reads().entries).toBeLessThan(300);
  });
});
