import { describe, expect, it } from 'vitest';
import { EMPTY_TOTALS } from '#inside/credit-ledger/totals.ts';
import { CHECKED_ENTRIES, hashOf } from '#inside/credit-ledger/verify.ts';
import {
  canonical,
  createLedgerStore,
  jsonLine,
  type LedgerEntry,
  type LedgerStore,
  LOG_PROBLEMS,
  type LogProblemCode,
  ledgerEntryKind,
  ledgerEntrySchema,
  readLog,
  verifyNewest,
  withUnknown,
} from '#shared/credit-ledger';
import { textFaults } from '../../../harness/catalogue.ts';
import { digest, resealed, verify } from '../../../harness/ledger-logs.ts';
import { openMemoryStore, openTogether, putRaw } from '../../../harness/memory-items.ts';
import { adjust, doubt, grant, late, openBooks, post, reserve, voided } from './books.ts';

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

async function codesIn(report: ReturnType<typeof verify>) {
  return (await report).problems.map(({ seq, code }) => ({ seq, code }));
}

describe('a log whose end was lost', () => {
  it('proves its balance, but not that it holds the entries under which questions were sent', async () => {
    const log = await everyKind();
    const witnesses = new Map(
      log.filter(({ kind }) => kind === 'pending').map(({ seq, hash }) => [seq, hash] as const),
    );
    const verifyWith = (entries: readonly LedgerEntry[]) => verify(entries, { witnesses });
    expect((await verifyWith(log)).problems).toEqual([]);
    const cut = log.slice(0, 5);
    expect((await verify(cut)).problems).toEqual([]);
    expect(await codesIn(verifyWith(cut))).toEqual([{ seq: 6, code: 'entry-lost' }]);
  });

  it('and that was written on from there does not hold either', async () => {
    const log = await everyKind();
    const witnesses = new Map([[6, log[5]?.hash ?? '']]);
    const other = log.map((entry) => (entry.seq === 6 ? { ...entry, atMs: entry.atMs + 1 } : entry));
    const found = verify(resealed(other), { witnesses });
    expect(await codesIn(found)).toContainEqual({ seq: 6, code: 'other-entry-sent' });
  });
});

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
    putRaw(store, { kind: ledgerEntryKind, key: ledgerEntryKind.key(1), body: item });
    return verify(readLog(createLedgerStore(openTogether(store))));
  };

  it('holds: its hash is over the stored entry without key and format', async () => {
    expect((await open(await laterEntry())).problems).toEqual([]);
  });

  it('does not hold once that field was changed by hand', async () => {
    const found = open({ ...(await laterEntry()), later: 'another' });
    expect(await codesIn(found)).toEqual([{ seq: 1, code: 'contents-changed' }]);
  });

  it('is exported as it is stored', async () => {
    const stored = await laterEntry();
    const entry = ledgerEntrySchema.parse(withUnknown(stored));
    expect(JSON.parse(jsonLine(entry))).toEqual(stored);
  });
});

describe('a log that proves its balance', () => {
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
    expect(await codesIn(verify(log))).toEqual([{ seq: 2, code: 'time-zone-changed' }]);
  });
});

it('a damage without new hashes is told by the entry after it when its own hash was made anew', async () => {
  const log = await everyKind();
  const [fourth] = resealed(withEntry(log, 4, { reason: 'other' })).slice(3, 4);
  const found = verify(withEntry(log, 4, { ...fourth }));
  expect(await codesIn(found)).toEqual([{ seq: 5, code: 'unchained' }]);
});

describe('a damage under new hashes', () => {
  it.each<[string, number, Partial<LedgerEntry>, LogProblemCode]>([
    ['another amount', 4, { amountCredits: 5 }, 'wrong-totals'],
    ['a void of another amount', 7, { amountCredits: 5 }, 'other-amount'],
    ['another purpose', 4, { purpose: 'live' }, 'other-reservation'],
    ['the day of the settlement', 5, { day: '2026-12-01' }, 'other-reservation'],
    ['the day before', 8, { day: '2026-11-30' }, 'other-day'],
    ['a time before', 3, { atMs: 1 }, 'time-before'],
    ['another account', 3, { account: 'other' }, 'other-account'],
    ['a reservation that is not open', 4, { reservationId: 'x:1', id: 'x:1:posted' }, 'not-open'],
    ['an id of something else', 4, { id: 'b:1:posted' }, 'wrong-id'],
    ['a void of what was posted', 4, { kind: 'voided', id: 'a:1:voided', amountCredits: 10 }, 'wrong-totals'],
    ['an adjustment as a grant', 9, { kind: 'grant' }, 'negative-grant'],
    ['no open reservations', 6, { open: [] }, 'wrong-reservations'],
    ['no totals', 6, { totals: EMPTY_TOTALS }, 'wrong-totals'],
    ['a late charge without a purpose', 8, { purpose: undefined }, 'no-question'],
  ])('is found: %s', async (_, seq, change, code) => {
    expect(await codesIn(verify(resealed(withEntry(await everyKind(), seq, change))))).toContainEqual({
      seq,
      code,
    });
  });

  it.each(['Middle/Earth', ''])('is found: the time zone %j', async (timeZone) => {
    const found = verify(resealed(withEntry(await everyKind(), 4, { timeZone })));
    expect(await codesIn(found)).toContainEqual({ seq: 4, code: 'unknown-time-zone' });
  });

  it('is found: a grant, a late charge or a reservation that stands there twice', async () => {
    const log = await everyKind();
    for (const [seq, of] of [
      [9, 1],
      [9, 8],
      [9, 2],
    ] as const) {
      const copied = log[of - 1];
      const found = verify(resealed(withEntry(log, seq, { ...copied, seq })));
      expect(await codesIn(found)).toContainEqual({ seq, code: 'booked-twice' });
    }
  });

  it('is found: a late charge of what was posted before', async () => {
    const books = openBooks();
    await books.append(reserve('a:1'));
    await books.append(post('a:1'));
    await books.append(late('a:1'));
    expect(await codesIn(verify(await books.log()))).toEqual([{ seq: 3, code: 'posted-before' }]);
  });

  it('is found: a second doubt of the same reservation', async () => {
    const books = openBooks();
    await books.append(reserve('q:1', { amountCredits: 3 }));
    await books.append(doubt('q:1'));
    await books.append(voided('q:1'));
    const again = { kind: 'doubtful', id: 'q:1:doubtful' } as const;
    const found = verify(resealed(withEntry(await books.log(), 3, again)));
    expect(await codesIn(found)).toContainEqual({ seq: 3, code: 'already-doubtful' });
  });
});

it('the totals of a report come from the amounts, not from what the entries state', async () => {
  const log = await everyKind();
  const totals = { periods: {}, lifetime: { ...EMPTY_TOTALS.lifetime, granted: 9_999 } };
  const report = await verify(resealed(log.map((entry) => ({ ...entry, totals }))));
  expect(report.problems.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(report.totals).toEqual(log.at(-1)?.totals);
});

it('the check of the newest entries reads so many, and finds damage among them', async () => {
  const books = openBooks();
  for (let nth = 0; nth < CHECKED_ENTRIES; nth += 1) await books.append(reserve(`q${nth}:1`));
  const check = (log: readonly LedgerEntry[]) => {
    const newest = async () => log.at(-1);
    const entries: LedgerStore['entries'] = async ({ fromSeq, limit }) =>
      log.slice(fromSeq - 1, fromSeq - 1 + limit);
    return verifyNewest({ ...books.store, newest, entries }, { digest });
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

it('every problem is told in a sentence', () => {
  expect(Object.values(LOG_PROBLEMS).flatMap(textFaults)).toEqual([]);
});
