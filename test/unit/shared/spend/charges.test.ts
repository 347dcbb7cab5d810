import { describe, expect, it } from 'vitest';
import { type ChargeQuery, listCharges } from '#inside/spend/charges.ts';
import { createSpendBook } from '#inside/spend/spend-book.ts';
import type { LedgerEntry } from '#shared/credit-ledger';
import { DAY_MS } from '#shared/kernel';
import { type Charge, monthsOf } from '#shared/spend';
import { createMemoryItems, createMemoryLedgerStore } from '../../../harness/memory-items.ts';
import { monthOfCharges } from '../../../harness/month-of-charges.ts';
import { bookKeeping, charge, handClock } from './random-log.ts';

const clock = handClock();
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };

/** A log that is projected already. */
async function openLog(log: readonly LedgerEntry[]) {
  const store = createMemoryLedgerStore();
  let [read, requests] = [0, 0];
  const entries: typeof store.entries = async (query) => {
    const page = await store.entries(query);
    read += page.length;
    requests += 1;
    return page;
  };
  const book = createSpendBook({
    items: createMemoryItems(),
    status: createMemoryItems(),
    store,
    clock,
  });
  for (const entry of log) await store.append(entry);
  await book.project();
  return {
    /** Every page of a selection, with what each of them has read. */
    pages: async (query: Pick<ChargeQuery, 'selection' | 'record' | 'limit'>) => {
      const { rows } = await book.read({ months: monthsOf(query.selection) });
      const pages: { charges: readonly Charge[]; read: number; requests: number }[] = [];
      for (let beforeSeq: number | undefined; pages.length < 1_000; ) {
        [read, requests] = [0, 0];
        const { charges, nextSeq } = await listCharges(
          { owners: store.owners, entries },
          { ...query, rows, beforeSeq },
        );
        pages.push({ charges, read, requests });
        if (nextSeq === undefined) return pages;
        beforeSeq = nextSeq;
      }
      throw new Error('The pages have no end.');
    },
  };
}

describe('the list of charges', () => {
  it('reads a thousand entries a page at most, however rare what is looked for', async () => {
    const { ledger, store } = bookKeeping(handClock());
    const about = { operation: 'reverseEmail', purpose: 'live', credits: 0, reason: 'match' } as const;
    for (let index = 0; index < 1_100; index += 1) await charge(ledger, about);
    const log = await store.entries({ fromSeq: 1, limit: 10_000 });
    const { pages } = await openLog(log);
    const found = await pages({ selection: OCTOBER, record: 'contacts#7', limit: 50 });
    expect(found.map(({ charges }) => charges.length)).toEqual([0, 0, 0]);
    expect(Math.max(...found.map(({ read }) => read))).toBeLessThanOrEqual(1_000);
  });

  it('asks the store 50 times a page at most, however scattered what is looked for', async () => {
    const { store, reads } = monthOfCharges(50_000);
    const about = {
      day: '2026-11-01',
      operation: 'personProfile',
      purpose: 'live',
      outcome: 'match',
    } as const;
    const spans = Array.from({ length: 180 }, (_, nth): [number, number] => [500 * nth + 2, 500 * nth + 2]);
    const rows = spans.map((span) => ({ ...about, credits: 1, count: 1, spans: [span] }));
    const selection = { from: '2026-11-01', to: '2026-11-30' };
    const everyDay = rows.map((row, nth) => ({ ...row, day: nth % 2 === 0 ? selection.from : selection.to }));
    const counts: number[] = [];
    let [found, beforeSeq]: [number, number | undefined] = [0, undefined];
    do {
      const query = { rows: everyDay, selection, beforeSeq, limit: 500 };
      const page = await listCharges(store, query);
      counts.push(reads().requests);
      found += page.charges.length;
      beforeSeq = page.nextSeq;
    } while (beforeSeq !== undefined);
    expect(found).toBe(180);
    expect(counts).toEqual([50, 50, 50, 30]);
  });

  it('finds what was in doubt for weeks, and reads no month for it', async () => {
    const hands = handClock();
    const { ledger, store } = bookKeeping(hands);
    const about = { operation: 'reverseEmail', purpose: 'live', credits: 1, reason: 'match' } as const;
    const doubt = { reservationId: 'doubt:1', questionKey: 'q', ...about, amountCredits: 1 };
    await ledger.apply({ kind: 'reserve', ...doubt });
    await charge(ledger, about);
    for (let day = 0; day < 10; day += 1) {
      hands.advance(DAY_MS);
      for (let nth = 0; nth < 30; nth += 1) await charge(ledger, { ...about, purpose: 'import' });
    }
    await ledger.apply({ kind: 'post', reservationId: 'doubt:1', amountCredits: 1, reason: 'match' });
    const log = await store.entries({ fromSeq: 1, limit: 10_000 });
    const { pages } = await openLog(log);
    const selection = { from: '2026-10-20', to: '2026-10-20' };
    const [page, ...others] = await pages({ selection, limit: 50 });
    expect(page?.charges.map(({ seq }) => seq)).toEqual([log.length, 3]);
    expect(page?.read).toBe(2);
    expect(others).toEqual([]);
  });
});
