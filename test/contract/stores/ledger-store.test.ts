import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLedger } from '#inside/credit-ledger/ledger.ts';
import { type LedgerEntry, type LedgerStore, readLog, verifyLog } from '#shared/credit-ledger';
import { seededRandom } from '#shared/kernel';
import { createDigest, systemClock } from '#shared/kernel/adapters';
import { backends, type OpenBackend } from './backends.ts';
import { sampleEntry } from './sample-entry.ts';

describe.each(backends)('the ledger store in $name', ({ open }) => {
  let backend: OpenBackend;
  let store: LedgerStore;
  beforeAll(async () => {
    backend = await open();
    store = backend.connect().ledger;
  });
  afterAll(() => backend.close());

  const fill = async (account: string, count: number, reason?: string) => {
    for (let seq = 1; seq <= count; seq += 1)
      await store.append(sampleEntry({ account, seq }, reason === undefined ? {} : { reason }));
  };
  const seqs = (entries: readonly LedgerEntry[]) => entries.map(({ seq }) => seq);

  it('has no newest entry and no entries while the log is empty', async () => {
    expect(await store.newest('empty')).toBeUndefined();
    expect(await store.entries({ account: 'empty', fromSeq: 1, limit: 10 })).toEqual([]);
    expect(await Array.fromAsync(readLog(store, 'empty'))).toEqual([]);
  });

  it('gives back exactly what was appended, newest first or oldest first', async () => {
    const [one, two] = [1, 2].map((seq) => sampleEntry({ account: 'exact', seq })) as [
      LedgerEntry,
      LedgerEntry,
    ];
    expect(await store.append(one)).toBe('appended');
    expect(await store.newest('exact')).toStrictEqual(one);
    expect(await store.append(two)).toBe('appended');
    expect(await store.newest('exact')).toStrictEqual(two);
    expect(await store.entries({ account: 'exact', fromSeq: 1, limit: 10 })).toStrictEqual([one, two]);
  });

  it('says that a place is taken, and leaves in it what was there', async () => {
    await fill('taken', 2);
    expect(await store.append(sampleEntry({ account: 'taken', seq: 2 }, { writer: 'b' }))).toBe('taken');
    expect(await store.append(sampleEntry({ account: 'taken', seq: 1 }, { writer: 'b' }))).toBe('taken');
    const entries = await store.entries({ account: 'taken', fromSeq: 1, limit: 10 });
    expect(entries.map(({ id }) => id)).toEqual(['grant-1-a', 'grant-2-a']);
  });

  it('takes the very same entry twice and holds it once', async () => {
    const entry = sampleEntry({ account: 'same', seq: 1 });
    expect(await store.append(entry)).toBe('appended');
    expect(await store.append(entry)).toBe('appended');
    expect(await store.entries({ account: 'same', fromSeq: 1, limit: 10 })).toHaveLength(1);
  });

  it('leaves undefined fields out', async () => {
    const entry = { ...sampleEntry({ account: 'undefined', seq: 1 }), operation: undefined };
    await store.append(entry);
    expect(await store.newest('undefined')).toEqual(sampleEntry({ account: 'undefined', seq: 1 }));
  });

  it('keeps the logs of two accounts apart, also where one name begins with the other', async () => {
    await fill('key', 3);
    await fill('key#2', 1);
    expect((await store.newest('key'))?.seq).toBe(3);
    expect((await store.newest('key#2'))?.seq).toBe(1);
  });

  it('reads in the order of numbers, from one on, at most so many', async () => {
    await fill('paged', 12);
    expect(seqs(await store.entries({ account: 'paged', fromSeq: 1, limit: 100 }))).toEqual(
      Array.from({ length: 12 }, (_, i) => i + 1),
    );
    expect(seqs(await store.entries({ account: 'paged', fromSeq: 9, limit: 2 }))).toEqual([9, 10]);
    expect(await store.entries({ account: 'paged', fromSeq: 13, limit: 2 })).toEqual([]);
  });

  it('reads a log of more entries than a page has, and of exactly a page', async () => {
    await fill('long', 205);
    expect(seqs(await Array.fromAsync(readLog(store, 'long')))).toEqual(
      Array.from({ length: 205 }, (_, i) => i + 1),
    );
    expect(seqs(await Array.fromAsync(readLog(store, 'long', 106)))).toHaveLength(100);
  });

  it('reads entries that together are larger than one answer of the store', async () => {
    await fill('heavy', 9, 'x'.repeat(200_000));
    expect(await store.entries({ account: 'heavy', fromSeq: 1, limit: 100 })).toHaveLength(9);
    expect(await store.entries({ account: 'heavy', fromSeq: 1, limit: 7 })).toHaveLength(7);
    expect(await Array.fromAsync(readLog(store, 'heavy'))).toHaveLength(9);
    expect((await store.newest('heavy'))?.seq).toBe(9);
  });

  it('gives a place to exactly one of many writers', async () => {
    const results = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const entry = sampleEntry({ account: 'raced', seq: 1 }, { writer: `writer ${i}` });
        return { id: entry.id, result: await backend.connect().ledger.append(entry) };
      }),
    );
    const winners = results.filter(({ result }) => result === 'appended');
    expect(winners).toHaveLength(1);
    expect((await store.newest('raced'))?.id).toBe(winners[0]?.id);
  });

  it('goes on from an entry that set its time back', async () => {
    const account = 'ahead';
    const digest = createDigest('a secret for the tests');
    const timeZone = 'Europe/Berlin';
    const connected = backend.connect().ledger;
    const booksAt = (iso: string) => {
      const clock = { ...systemClock, now: () => Date.parse(iso) };
      const rules = { account, clock, random: seededRandom(1), digest, budgets: { perDay: 5 }, timeZone };
      return { store: connected, ...rules };
    };
    const about = { operation: 'personProfile', purpose: 'live' as const, questionKey: 'question' };
    const reserve = (reservationId: string, amountCredits: number) =>
      ({ kind: 'reserve', reservationId, amountCredits, ...about }) as const;
    await createLedger(booksAt('2027-03-01T12:00:00Z')).apply(reserve('question:1', 4));
    const present = createLedger(booksAt('2026-11-18T12:00:00Z'));
    expect(await present.setBack('a wrong clock')).toMatchObject({ kind: 'set-back' });
    expect(await store.newest(account)).toMatchObject({ kind: 'set-back', seq: 2, day: '2026-11-18' });
    expect(await present.apply(reserve('question:2', 2))).toMatchObject({ kind: 'over-budget' });
    expect(await present.apply(reserve('question:2', 1))).toMatchObject({ kind: 'appended' });
    const report = await verifyLog(readLog(store, account), { digest });
    expect(report).toMatchObject({ entries: 3, problems: [] });
  });

  it('ends with 40 gapless entries when 8 writers append 5 each at once', async () => {
    const account = 'crowd';
    const digest = createDigest('a secret for the tests');
    const timeZone = 'Europe/Berlin';
    const write = async (writer: number) => {
      const ledger = createLedger({
        store: backend.connect().ledger,
        account,
        clock: systemClock,
        random: seededRandom(writer),
        digest,
        budgets: { perDay: 500 },
        timeZone,
      });
      for (let i = 0; i < 5; i += 1) {
        const reservationId = `question-${writer}:${i}`;
        const done = await ledger.apply({
          kind: 'reserve',
          reservationId,
          questionKey: `question-${writer}`,
          operation: 'personProfile',
          purpose: 'live',
          amountCredits: 5,
        });
        expect(done.kind).toBe('appended');
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)));
    const report = await verifyLog(readLog(store, account), { digest });
    expect(report).toMatchObject({ entries: 40, problems: [], totals: { lifetime: { pending: 200 } } });
    expect((await store.newest(account))?.open).toHaveLength(40);
  });
});
