import { describe, expect, it } from 'vitest';
import { createLedgerStore, type LedgerCommand } from '#shared/credit-ledger';
import { MINUTE_MS } from '#shared/kernel';
import type { Store } from '#shared/store';
import { createManualClock } from '../../../harness/manual-clock.ts';
import { createMemoryLedgerStore, openMemoryStore, openTogether } from '../../../harness/memory-items.ts';
import { type BooksOptions, doubt, grant, late, openBooks, post, reserve, voided } from './books.ts';

/** One log, two workers: the rival is a little faster than we are, `times` times. */
function openContended({ times, command, ...options }: BooksOptions & { times: number; command: Rival }) {
  const memory = openMemoryStore();
  const rival = openBooks({ ...options, store: createLedgerStore(openTogether(memory)) });
  let lost = 0;
  const overtaken: Store = {
    ...memory,
    transact: async (writes, version) => {
      if (lost < times) await rival.append(command(lost++));
      return memory.transact(writes, version);
    },
  };
  const store = createLedgerStore(openTogether(overtaken));
  return openBooks({ at: '2026-11-18T12:00:01Z', ...options, store });
}

type Rival = (turn: number) => LedgerCommand;

describe('the ledger, when others append at the same time', () => {
  it('reads again and appends to what is there now', async () => {
    const books = openContended({ times: 3, command: (turn) => grant(`rival ${turn}`, 1) });
    const entry = await books.append(reserve('q:1'));
    expect(entry.seq).toBe(4);
    expect(entry.totals.lifetime).toMatchObject({ granted: 3, pending: 10 });
    expect((await books.log()).map(({ id }) => id)).toEqual(['rival 0', 'rival 1', 'rival 2', 'q:1:pending']);
  });

  it('refuses nothing by what it knew: what another has given back meanwhile may be spent', async () => {
    const store = createMemoryLedgerStore();
    const options = { store, budgets: { perDay: 20 } };
    const [ours, theirs] = [openBooks(options), openBooks(options)];
    await ours.append(reserve('a:1'));
    await ours.append(reserve('b:1'));
    await theirs.append(voided('a:1'));
    expect(await ours.apply(reserve('c:1'))).toMatchObject({ kind: 'appended' });
  });

  it.each([
    ['a late charge', late('q:1')],
    ['a grant', grant('invoice', 5)],
  ])('does not book %s that the other has booked meanwhile', async (_, command) => {
    const books = openContended({ times: 1, command: () => command });
    expect(await books.apply(command)).toEqual({ kind: 'exists' });
    expect(await books.log()).toHaveLength(1);
  });

  it('gives up as a failure of the outside when every race is lost', async () => {
    const losing: Store = { ...openMemoryStore(), transact: async () => ({ kind: 'conflict' }) };
    const lost = openTogether(losing, createManualClock({ startMs: 0, autoAdvance: true }));
    await expect(openBooks({ store: createLedgerStore(lost) }).apply(reserve('q:1'))).rejects.toMatchObject({
      name: 'UpstreamError',
      code: 'ITEM_CONTENDED',
      retryable: true,
    });
  });
});

describe('what the ledger tells', () => {
  it('previews a command and appends nothing', async () => {
    const books = openBooks({ budgets: { perDay: 15 } });
    expect(await books.ledger.preview(reserve('q:1'))).toMatchObject({
      kind: 'entry',
      draft: { id: 'q:1:pending' },
    });
    expect(await books.log()).toEqual([]);
    await books.append(reserve('q:1'));
    expect(await books.ledger.preview(reserve('q:2'))).toMatchObject({ kind: 'over-budget' });
    expect(await books.ledger.preview(reserve('q:1'))).toEqual({ kind: 'exists' });
  });

  it('lists what is open', async () => {
    const books = openBooks();
    expect(await books.ledger.openReservations()).toEqual([]);
    await books.append(reserve('a:1'));
    await books.append(reserve('b:1'));
    await books.append(doubt('a:1'));
    const open = await books.ledger.openReservations();
    expect(open.map(({ id, state }) => `${id} ${state}`).sort()).toEqual(['a:1 doubtful', 'b:1 pending']);
  });

  it('knows what a reservation ended in, however long ago', async () => {
    const books = openBooks();
    await books.append(reserve('posted:1'));
    await books.append(post('posted:1'));
    await books.append(reserve('voided:1'));
    await books.append(voided('voided:1'));
    await books.append(reserve('late:1'));
    await books.append(voided('late:1'));
    await books.append(late('late:1'));
    await books.append(reserve('open:1'));
    for (let i = 0; i < 120; i += 1) await books.append(grant(`g${i}`, 1));
    expect(await books.ledger.chargedFor('posted:1')).toBe(10);
    expect(await books.ledger.chargedFor('late:1')).toBe(10);
    expect(await books.ledger.chargedFor('voided:1')).toBeUndefined();
    expect(await books.ledger.chargedFor('open:1')).toBeUndefined();
    expect(await books.ledger.chargedFor('never:1')).toBeUndefined();
  });

  it('finds what was about a reservation, and whether it is booked, without reading a long log from its start', async () => {
    const store = createMemoryLedgerStore();
    let reads = 0;
    const counted: typeof store = {
      ...store,
      entries: (query) => {
        reads += 1;
        return store.entries(query);
      },
    };
    const books = openBooks({ store: counted, budgets: { perDay: 10_000 } });
    const idAt = (ms: number) => `question:${ms}`;
    const startMs = Date.parse('2026-11-18T12:00:00Z');
    const atMs = (pair: number) => startMs + pair * MINUTE_MS;
    for (let pair = 0; pair < 2_500; pair += 1) {
      books.setTime(new Date(atMs(pair)).toISOString());
      await books.append(reserve(idAt(atMs(pair))));
      await books.append(pair % 2 ? voided(idAt(atMs(pair))) : post(idAt(atMs(pair)), 3));
    }
    expect(reads).toBe(0);
    const readsOf = async (ask: () => Promise<unknown>, answer: unknown) => {
      reads = 0;
      expect(await ask()).toEqual(answer);
      return reads;
    };
    const chargedIn = (pair: number) => () => books.ledger.chargedFor(idAt(atMs(pair)));
    expect(await readsOf(chargedIn(2_490), 3)).toBeLessThan(10);
    expect(await readsOf(chargedIn(2_491), undefined)).toBeLessThan(10);
    expect(await readsOf(chargedIn(2_000), 3)).toBeLessThan(30);
    await books.append(late(idAt(atMs(2_491))));
    expect(await readsOf(chargedIn(2_491), 10)).toBeLessThan(10);
    const repeated = () => books.apply(late(idAt(atMs(2_491))));
    expect(await readsOf(repeated, { kind: 'exists' })).toBeLessThan(10);
    expect(await readsOf(chargedIn(0), 3)).toBeLessThan(70);
  });
});

it('the limit of a person is shared by all who come after the first hundred of a day, and counts no other purpose', async () => {
  const books = openBooks({ people: { creditsPerDay: 1, spend: ['900'] } });
  const by = (id: number, purpose: 'manual' | 'live' = 'manual') =>
    books.apply(reserve(`${id}:${purpose}`, { purpose, askedBy: `user:${id}`, amountCredits: 1 }));
  for (let id = 1; id <= 101; id += 1) expect(await by(id)).toMatchObject({ kind: 'appended' });
  expect(await by(102)).toMatchObject({ kind: 'over-budget', budget: { budget: 'person/day' } });
  expect(await by(102, 'live')).toMatchObject({ kind: 'appended' });
  expect(await by(900)).toMatchObject({ kind: 'appended' });
});
