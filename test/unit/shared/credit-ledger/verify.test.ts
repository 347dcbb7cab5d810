import { describe, expect, it } from 'vitest';
import { CHAIN_START, hashOf } from '#inside/credit-ledger/chain.ts';
import { EMPTY_TOTALS } from '#inside/credit-ledger/totals.ts';
import { CHECKED_ENTRIES } from '#inside/credit-ledger/verify.ts';
import {
  canonical,
  createLedgerStore,
  jsonLine,
  type LedgerEntry,
  type LedgerStore,
  ledgerEntrySchema,
  readLog,
  verifyLog,
  verifyNewest,
  withUnknown,
} from '#shared/credit-ledger';
import { openMemoryStore, putRaw } from '../../../builders/memory-items.ts';
import { adjust, digest, doubt, grant, late, openBooks, post, reserve, voided } from './books.ts';

/** A log with an entry of every kind, over the end of a month. */
async function everyKind(): Promise<LedgerEntry[]> {
  const books = openBooks({ at: '2026-11-30T12:00:00Z' });
  await books.append(grant('invoice', 500)); // 1
  await books.append(reserve('a:1', { purpose: 'refresh' })); // 2
  await books.append(reserve('b:1')); // 3
  await books.append(post('a:1', 4)); // 4
  books.setTime('2026-12-01T12:00:00Z');
  await books.append(doubt('b:1')); // 5
  await books.append(reserve('c:1', { amountCredits: 3 })); // 6
  await books.append(voided('b:1')); // 7
  await books.append(late('b:1', { amountCredits: 6 })); // 8
  await books.append(adjust('dashboard', -2)); // 9
  return books.log();
}

async function* stream(entries: readonly LedgerEntry[]) {
  yield* entries;
}

const verify = (entries: readonly LedgerEntry[]) => verifyLog(stream(entries), { digest });

describe('a log whose end was lost', () => {
  it('proves its balance, but not that it holds the entries under which questions were sent', async () => {
    const log = await everyKind();
    const witnesses = new Map(
      log.filter(({ kind }) => kind === 'pending').map(({ seq, hash }) => [seq, hash] as const),
    );
    const verifyWith = (entries: readonly LedgerEntry[]) => verifyLog(stream(entries), { digest, witnesses });
    expect((await verifyWith(log)).problems).toEqual([]);
    const cut = log.slice(0, 5);
    expect((await verify(cut)).problems).toEqual([]);
    const gone = 'A request refers to this entry, but it is missing.';
    expect((await verifyWith(cut)).problems).toEqual([{ seq: 6, problem: gone }]);
  });

  it('and that was written on from there does not hold either', async () => {
    const log = await everyKind();
    const witnesses = new Map([[6, log[5]?.hash ?? '']]);
    const other = log.map((entry) => (entry.seq === 6 ? { ...entry, atMs: entry.atMs + 1 } : entry));
    const problem = 'A request refers to another entry with this number.';
    const found = await verifyLog(stream(resealed(other)), { digest, witnesses });
    expect(found.problems).toContainEqual({ seq: 6, problem });
  });
});

/** Makes all hashes anew, as somebody would who wants to hide a change. */
function resealed(entries: readonly LedgerEntry[]): LedgerEntry[] {
  let previousHash = CHAIN_START;
  return entries.map(({ hash: _, ...rest }) => {
    const unhashed = { ...rest, previousHash };
    previousHash = hashOf(unhashed, digest);
    return { ...unhashed, hash: previousHash };
  });
}

const withEntry = (entries: readonly LedgerEntry[], seq: number, change: Partial<LedgerEntry>) =>
  entries.map((entry) => (entry.seq === seq ? { ...entry, ...change } : entry));

describe('an entry of a later version, with a field that this one does not know', () => {
  /** As the later version stores it: its hash is over all fields. */
  const laterEntry = async () => {
    const [first] = await everyKind();
    if (!first) throw new Error('The log has entries.');
    const { hash: _, ...rest } = first;
    const fields = { ...rest, later: 'a field' };
    return { ...fields, hash: digest.sha256(canonical(fields)) };
  };
  const open = async (item: Readonly<Record<string, unknown>> & { readonly account: string }) => {
    const store = openMemoryStore();
    putRaw(store, { table: 'ledger', key: 'ledger#1', body: item });
    return verifyLog(readLog(createLedgerStore(store), 'default'), { digest });
  };

  it('holds: its hash is over the stored entry without key and format', async () => {
    expect((await open(await laterEntry())).problems).toEqual([]);
  });

  it('does not hold once that field was changed by hand', async () => {
    const { problems } = await open({ ...(await laterEntry()), later: 'another' });
    expect(problems).toEqual([{ seq: 1, problem: 'Its contents do not match its hash.' }]);
  });

  it('is exported as it is stored', async () => {
    const stored = await laterEntry();
    const entry = ledgerEntrySchema.parse(withUnknown(stored));
    expect(JSON.parse(jsonLine(entry))).toEqual(stored);
  });
});

describe('a log that proves its balance', () => {
  it('has no problems, and comes to the totals of its newest entry', async () => {
    const log = await everyKind();
    expect(await verify(log)).toEqual({ entries: 9, problems: [], totals: log.at(-1)?.totals });
    expect(log.at(-1)?.totals.lifetime).toEqual({
      posted: 10,
      pending: 3,
      doubtful: 0,
      granted: 500,
      adjusted: -2,
    });
  });

  it('may be empty', async () => {
    expect(await verify([])).toEqual({ entries: 0, problems: [], totals: EMPTY_TOTALS });
  });

  it('is verified in the time zone that each entry was made in, whatever the policy says by now', async () => {
    const books = openBooks({ at: '2026-11-18T23:30:00Z' });
    const made = await books.append(grant('invoice', 500));
    expect(made).toMatchObject({ timeZone: 'Europe/Berlin', day: '2026-11-19' });
    expect((await verify(await books.log())).problems).toEqual([]);
    const moved = openBooks({ at: '2026-12-01T05:00:00Z', store: books.store, timeZone: 'America/New_York' });
    const second = await moved.append(grant('second', 1));
    expect(second).toMatchObject({ timeZone: 'America/New_York', day: '2026-12-01' });
    expect((await verify(await moved.log())).problems).toEqual([]);
  });

  it('tells a time zone that changed while its month was open', async () => {
    const books = openBooks({ at: '2026-11-18T12:00:00Z' });
    const first = await books.append(grant('invoice', 500));
    const { hash: _, ...second } = { ...(await books.append(grant('second', 1))), timeZone: 'UTC' };
    const log = [first, { ...second, hash: hashOf(second, digest) }];
    expect((await verify(log)).problems).toEqual([
      { seq: 2, problem: 'Its time zone changed, although the month had not ended.' },
    ]);
  });
});

describe('a damage without new hashes', () => {
  it('is told once, with its entry', async () => {
    const log = withEntry(await everyKind(), 4, { reason: 'other' });
    expect((await verify(log)).problems).toEqual([
      { seq: 4, problem: 'Its contents do not match its hash.' },
    ]);
  });

  it('is told by the entry after it when its own hash was made anew', async () => {
    const log = await everyKind();
    const [fourth] = resealed(withEntry(log, 4, { reason: 'other' })).slice(3, 4);
    const { problems } = await verify(withEntry(log, 4, { ...fourth }));
    expect(problems).toEqual([{ seq: 5, problem: 'It is not chained to the previous entry.' }]);
  });
});

describe('a damage under new hashes', () => {
  it.each<[string, number, Partial<LedgerEntry>, string]>([
    ['another amount', 4, { amountCredits: 5 }, 'Its totals do not follow from its amount.'],
    ['a void of another amount', 7, { amountCredits: 5 }, 'Its amount is not that of its reservation.'],
    ['another purpose', 4, { purpose: 'live' }, 'It contradicts its reservation.'],
    ['another question', 5, { questionKey: 'x' }, 'It contradicts its reservation.'],
    ['another operation', 5, { operation: 'companyProfile' }, 'It contradicts its reservation.'],
    ['the day of the settlement', 5, { day: '2026-12-01' }, 'It contradicts its reservation.'],
    ['the day before', 8, { day: '2026-11-30' }, 'Its day is not the day of its time.'],
    ['a time before', 3, { atMs: 1 }, 'Its time is before the time of the previous entry.'],
    ['another account', 3, { account: 'other' }, 'It belongs to another account.'],
    ['a reservation that is not open', 4, { reservationId: 'x:1', id: 'x:1:posted' }, 'is not open'],
    ['an id of something else', 4, { id: 'b:1:posted' }, 'Its id is not that of its reservation and kind.'],
    [
      'a void of what was posted',
      4,
      { kind: 'voided', id: 'a:1:voided', amountCredits: 10 },
      'Its totals do not follow',
    ],
    ['an adjustment as a grant', 9, { kind: 'grant' }, 'It grants a negative amount.'],
    ['no open reservations', 6, { open: [] }, 'Its open reservations do not follow from its kind.'],
    ['no totals', 6, { totals: EMPTY_TOTALS }, 'Its totals do not follow from its amount.'],
    [
      'a late charge without a purpose',
      8,
      { purpose: undefined },
      'It lacks the question or the purpose of its charge',
    ],
  ])('is found: %s', async (_, seq, change, problem) => {
    const { problems } = await verify(resealed(withEntry(await everyKind(), seq, change)));
    expect(problems).toContainEqual({ seq, problem: expect.stringContaining(problem) });
  });

  it.each(['Middle/Earth', ''])('is found: the time zone %j', async (timeZone) => {
    const { problems } = await verify(resealed(withEntry(await everyKind(), 4, { timeZone })));
    expect(problems).toContainEqual({ seq: 4, problem: 'Its time zone does not exist.' });
  });

  it('is found: an entry that is gone', async () => {
    const log = await everyKind();
    const { entries, problems } = await verify(resealed(log.filter(({ seq }) => seq !== 2)));
    expect(entries).toBe(8);
    expect(problems).toContainEqual({ seq: 3, problem: 'Entry 2 was expected here.' });
  });

  it('is found: a grant, a late charge or a reservation that stands there twice', async () => {
    const log = await everyKind();
    for (const [seq, of] of [
      [9, 1],
      [9, 8],
      [9, 2],
    ] as const) {
      const copied = log[of - 1];
      const { problems } = await verify(resealed(withEntry(log, seq, { ...copied, seq })));
      expect(problems).toContainEqual({ seq, problem: 'It is booked a second time.' });
    }
  });

  it('is found: a late charge of what was posted before', async () => {
    const books = openBooks();
    await books.append(reserve('a:1'));
    await books.append(post('a:1'));
    await books.append(late('a:1'));
    expect((await verify(await books.log())).problems).toEqual([
      { seq: 3, problem: 'It books a charge that was posted before.' },
    ]);
  });

  it('is found: a second doubt of the same reservation', async () => {
    const books = openBooks();
    await books.append(reserve('q:1', { amountCredits: 3 }));
    await books.append(doubt('q:1'));
    await books.append(voided('q:1'));
    const again = { kind: 'doubtful', id: 'q:1:doubtful' } as const;
    const { problems } = await verify(resealed(withEntry(await books.log(), 3, again)));
    expect(problems).toContainEqual({ seq: 3, problem: 'Its reservation was already doubtful.' });
  });
});

describe('the totals of a report', () => {
  it('come from the amounts, not from what the entries state', async () => {
    const log = await everyKind();
    const totals = { periods: {}, lifetime: { ...EMPTY_TOTALS.lifetime, granted: 9_999 } };
    const report = await verify(resealed(log.map((entry) => ({ ...entry, totals }))));
    expect(report.problems.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(report.totals).toEqual(log.at(-1)?.totals);
  });
});

describe('the check of the newest entries', () => {
  it('reads so many, and finds damage among them', async () => {
    const books = openBooks();
    for (let nth = 0; nth < CHECKED_ENTRIES; nth += 1) await books.append(reserve(`q${nth}:1`));
    const check = (log: readonly LedgerEntry[]) => {
      const newest = async () => log.at(-1);
      const entries: LedgerStore['entries'] = async ({ fromSeq, limit }) =>
        log.slice(fromSeq - 1, fromSeq - 1 + limit);
      return verifyNewest({ ...books.store, newest, entries }, { account: books.ledger.account, digest });
    };
    expect(await check([])).toEqual({ entries: 0, problems: [], isWhole: true });
    const whole = await books.log();
    expect(await check(whole)).toEqual({ entries: CHECKED_ENTRIES, problems: [], isWhole: true });
    await books.append(reserve('more:1'));
    await books.append(reserve('more:2'));
    const log = await books.log();
    expect(await check(log)).toEqual({ entries: CHECKED_ENTRIES, problems: [], isWhole: false });
    const found = async (seq: number) =>
      (await check(withEntry(log, seq, { amountCredits: 5 }))).problems.map((problem) => problem.seq);
    expect([await found(1), await found(3), await found(log.length)]).toEqual([
      [],
      expect.arrayContaining([3]),
      expect.arrayContaining([log.length]),
    ]);
  });
});
