import { expect, it } from 'vitest';
import { createLedgerStore, type LedgerEntry } from '#shared/credit-ledger';
import type { Store } from '#shared/store';
import { openMemoryStore, openTogether } from '../../harness/memory-items.ts';
import { grant, openBooks } from '../../unit/shared/credit-ledger/books.ts';

/** A log of as many entries. */
async function entriesOf(count: number): Promise<readonly LedgerEntry[]> {
  const books = openBooks({});
  for (let nth = 1; nth <= count; nth += 1) await books.append(grant(`grant ${nth}`, 1));
  return books.log();
}

it('an entry and the head of the log are written by one transaction', async () => {
  const [entry] = await entriesOf(1);
  if (!entry) throw new Error('The log has an entry.');
  const whole = openMemoryStore();
  let written = 0;
  const cutOff: Store = {
    ...whole,
    transact: async (writes, version) => {
      written += 1;
      if (written > 1) throw new Error('Cut off on purpose.');
      return whole.transact(writes, version);
    },
  };
  expect(await createLedgerStore(openTogether(cutOff)).append(entry)).toMatchObject({ kind: 'appended' });
  const store = createLedgerStore(openTogether(whole));
  expect(await store.newest()).toEqual(entry);
  expect(await store.entries({ fromSeq: 1, limit: 10 })).toEqual([entry]);
});

it('an entry is appended once, and its place is taken for another', async () => {
  const [first] = await entriesOf(1);
  if (!first) throw new Error('The log has an entry.');
  const store = createLedgerStore(openTogether());
  expect(await store.append(first)).toMatchObject({ kind: 'appended' });
  expect(await store.append(first)).toMatchObject({ kind: 'appended' });
  expect(await store.append({ ...first, hash: 'another' })).toEqual({ kind: 'taken' });
});

it('a log of several reads is read to its end, also beyond a missing entry', async () => {
  const entries = await entriesOf(230);
  expect(entries).toHaveLength(230);
  const memory = openMemoryStore();
  const store = createLedgerStore(openTogether(memory));
  for (const entry of entries) await store.append(entry);
  expect(await store.entries({ fromSeq: 1, limit: 1_000 })).toEqual(entries);
  memory.database.exec("DELETE FROM items WHERE tbl = 'ledger' AND key LIKE '%#entry#99'");
  const read = await store.entries({ fromSeq: 1, limit: 1_000 });
  expect(read.map(({ seq }) => seq)).toEqual(entries.map(({ seq }) => seq).filter((seq) => seq !== 99));
});
