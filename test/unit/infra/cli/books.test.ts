import { afterAll, describe, expect, it } from 'vitest';
import { createLedger } from '#inside/credit-ledger/ledger.ts';
import { ledgerEntryKind, ledgerHeadKind } from '#inside/credit-ledger/stored-kinds.ts';
import { questionItemSchema } from '#inside/questions/schemas.ts';
import { createLedgerStore } from '#shared/credit-ledger';
import { DAY_MS, longMonth, seededRandom } from '#shared/kernel';
import { createDigest } from '#shared/kernel/adapters';
import { questionKind } from '#shared/questions';
import { statusKind } from '#shared/records';
import { ASKER_GRACE_MS } from '#shared/requests';
import { createSpendBook, label, spendMonthKind } from '#shared/spend';
import { openItems } from '#shared/store';
import { readCsv, START, startStandIns } from '../../../harness/console.ts';
import { openTogether, plainItems, putRaw, rawItem, removeRaw } from '../../../harness/memory-items.ts';

const standIns = await startStandIns();
const address = 'jane.roe@unknown-firm.com';

await standIns.run(['search', 'companies', '--company-location', 'Germany', '--max', '5', '--yes']);
await standIns.run(['lookup', 'email', 'lee.nobody@unknown-firm.com', '--yes']);
afterAll(() => standIns.stop());

const run = (...words: string[]) => standIns.run(words);

describe('spend', () => {
  it('stop and resume are the switch for people, and spend and queue status show it', async () => {
    const stopped = await run('spend', 'stop', '--reason', 'budget review', '--json');
    expect(stopped.json()).toMatchObject({ stopped: { reason: 'budget review' } });
    const stops = [{ kind: 'stopped-by-person', params: { reason: 'budget review' } }];
    expect((await run('spend', '--json')).json()).toMatchObject({ stops });
    expect((await run('queue', 'status', '--json')).json()).toMatchObject({ stops });
    for (const words of [['spend'], ['queue', 'status']])
      expect((await run(...words)).out).toContain('budget review');
    expect((await run('lookup', 'email', 'lee.else@unknown-firm.com', '--yes')).code).not.toBe(0);
    expect((await run('spend', 'resume', '--json')).json()).toEqual({ resumed: true });
    expect((await run('spend', 'resume', '--json')).json()).toEqual({ resumed: false });
    expect((await run('spend', '--json')).json()).toMatchObject({ stops: [] });
    expect((await run('spend', 'stop')).code).toBe(2);
  });

  it('shows what the data service charged, under the purpose of a person', async () => {
    const { json } = await run('spend', '--json');
    expect(json()).toMatchObject({
      spentTodayCredits: await standIns.bill(),
      yields: { purpose: [{ name: 'manual', credits: await standIns.bill() }] },
      budgets: [{ budget: 'total/day' }, { budget: 'refresh/day' }],
    });
    const { out } = await run('spend');
    expect(out).toMatch(new RegExp(`^${label('searchCompanies')} +1 +5 `, 'm'));
    expect(out).toContain(longMonth(START.toISOString().slice(0, 7)));
    expect(out.match(/\b6 credits\b/g)?.length).toBeGreaterThan(1);
  });

  it.each([
    ['day', ['day', 'charges', 'credits'], START.getUTCDate()],
    ['operation', ['operation', 'charges', 'credits'], 2],
    ['purpose', ['purpose', 'charges', 'credits'], 1],
    ['source', ['source', 'charges', 'credits'], 1],
  ])('by %s is a table of its own', async (by, columns, rowCount) => {
    const [header, ...rows] = readCsv((await run('spend', '--by', by, '--csv')).out);
    expect(header?.slice(0, 3)).toEqual(columns);
    expect(rows).toHaveLength(rowCount);
    expect(rows.reduce((sum, row) => sum + Number(row[2]), 0)).toBe(6);
    expect(JSON.parse((await run('spend', '--by', by, '--json')).out)).toHaveLength(rowCount);
  });

  it('tells the charges one by one, of a range and a filter', async () => {
    const [header, ...rows] = readCsv((await run('spend', 'charges', '--csv')).out);
    expect(header?.slice(0, 3)).toEqual(['time', 'day', 'record']);
    const credits = header?.indexOf('credits') ?? -1;
    expect(rows.map((row) => Number(row[credits])).toSorted()).toEqual([1, 5]);
    const { json } = await run('spend', 'charges', '--operation', 'reverseEmail', '--json');
    expect(json()).toMatchObject({ charges: [{ operation: 'reverseEmail', credits: 1 }], isWhole: true });
    const one = await run('spend', 'charges', '--limit', '1', '--json');
    expect(one.json()).toMatchObject({ charges: [{}], isWhole: false });
    expect(one.err).toContain('--limit');
    const cut = (await run('spend', 'charges', '--limit', '1', '--csv')).out.trimEnd().split('\r\n');
    expect(cut).toHaveLength(3);
    expect(cut.at(-1)?.split(',')).toHaveLength(1);
    expect(
      (await run('spend', 'charges', '--record', 'contacts/123', '--csv')).out.split('\r\n'),
    ).toHaveLength(2);
  });

  it.each([
    [['--month', '2026-11', '--purpose', 'manual'], 6],
    [['--from', '2026-11-16', '--to', '2026-11-16'], 6],
    [['--month', '2026-10'], 0],
    [['--purpose', 'backfill'], 0],
  ])('adds up the charges of %j', async (words, credits) => {
    expect((await run('spend', ...words, '--json')).json()).toMatchObject({ selected: { credits } });
    const { charges } = (await run('spend', 'charges', ...words, '--json')).json() as {
      charges: { credits: number }[];
    };
    expect(charges.reduce((sum, charge) => sum + charge.credits, 0)).toBe(credits);
  });

  it.each([
    [['--from', 'yesterday'], 'not-a-day', { parameter: 'from' }],
    [['--month', '2931-01'], 'not-begun', { parameter: 'month' }],
    [['charges', '--month', '2931-01'], 'not-begun', { parameter: 'month' }],
    [['--month', '2026-11', '--from', '2026-11-01'], 'month-and-range', { parameter: 'month' }],
    [['charges', '--from', '2020-01-01'], 'range-too-long', { parameter: 'from', maxDays: 92 }],
    [['charges', '--by', 'day'], 'only-without', { option: '--by' }],
    [['--record', 'contacts/1'], 'only-with', { option: '--record' }],
    [['--limit', '1'], 'only-with', { option: '--limit' }],
    [['--asked-by', 'user:77'], 'single-asker', { parameter: 'askedBy' }],
  ])('refuses %j', async (words, refused, params) => {
    const { code, json } = await run('spend', ...words, '--json');
    expect(code).toBe(2);
    expect(json()).toMatchObject({ error: { code: refused, params } });
  });
});

describe('ledger', () => {
  it('verify proves the log', async () => {
    const { code, json } = await run('ledger', 'verify', '--json');
    expect(json()).toMatchObject({
      ok: true,
      problems: [],
      entries: expect.any(Number),
      lifetime: { posted: 6, pending: 0, doubtful: 0 },
    });
    expect(code).toBe(0);
  });

  it('verify misses the end of the log that was cut off, because questions name their entries', async () => {
    const end = [3, 4].map((seq) => ({ key: ledgerEntryKind.key(seq), kind: ledgerEntryKind }));
    const bodies = end.map(({ kind, key }) => rawItem(standIns.store, kind, key)?.body);
    for (const { kind, key } of end) removeRaw(standIns.store, kind, key);
    expect((await run('ledger', 'verify', '--json')).json()).toMatchObject({ ok: false, entries: 2 });
    for (const [nth, place] of end.entries()) putRaw(standIns.store, { ...place, body: bodies[nth] });
    expect((await run('ledger', 'verify')).code).toBe(0);
  });

  it('export gives every entry, from any one on', async () => {
    const [header, ...rows] = readCsv((await run('ledger', 'export')).out);
    expect(header).toContain('amountCredits');
    const seqs = rows.map((row) => Number(row[1]));
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    const lines = (await run('ledger', 'export', '--json', '--from', '3')).out.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(seqs.slice(2));
  });

  it('grant books what was bought, and takes no address as a reason', async () => {
    const personal = ['--note', 'for jane@acme.example', '--json'];
    const refused = await run('ledger', 'grant', '--credits', '10', ...personal);
    expect(refused.json()).toMatchObject({
      error: { code: 'address-in-note', params: { option: '--note' } },
    });
    expect(refused.code).toBe(2);
    const words = ['ledger', 'grant', '--credits', '100', '--note', 'invoice', '--expires'];
    expect((await run(...words, '2099-02-30')).code).toBe(2);
    const past = await run(...words, '2020-01-01', '--json');
    expect(past.code).toBe(2);
    const params = { option: '--expires', day: '2020-01-01' };
    expect(past.json()).toMatchObject({ error: { code: 'day-past', params } });
    const { code, json } = await run(...words, '2099-03-31', '--json');
    expect(json()).toMatchObject({ granted: 100, expiresOn: '2099-03-31' });
    expect(code).toBe(0);
    expect((await run('spend', '--json')).json()).toMatchObject({
      balanceCredits: 94,
      nextExpiry: { day: '2099-03-31', leftCredits: 94 },
    });
  });

  it('verify misses a grant that was cut off with the head, because the sums of spend name it', async () => {
    const { store, clock } = standIns;
    const book = createSpendBook({
      items: openItems({ store }, spendMonthKind),
      status: openItems({ store }, statusKind),
      store: createLedgerStore(openTogether(store)),
      clock,
    });
    await book.project();
    const cut = [
      { key: ledgerEntryKind.key(5), kind: ledgerEntryKind },
      { key: ledgerHeadKind.key(''), kind: ledgerHeadKind },
    ];
    const bodies = cut.map(({ kind, key }) => rawItem(store, kind, key)?.body);
    expect(bodies).toMatchObject([{ kind: 'grant' }, { kind: 'grant' }]);
    for (const { kind, key } of cut) removeRaw(store, kind, key);
    const { code, json } = await run('ledger', 'verify', '--json');
    expect(json()).toMatchObject({ ok: false, entries: 4, problems: [{ seq: 5, code: 'entry-lost' }] });
    expect(code).toBe(1);
    for (const [nth, place] of cut.entries()) putRaw(store, { ...place, body: bodies[nth] });
    expect((await run('ledger', 'verify')).code).toBe(0);
  });

  it('reconcile books the difference once somebody agrees', async () => {
    expect((await run('ledger', 'reconcile', '--balance', '90')).code).toBe(2);
    const no = await standIns.run(['ledger', 'reconcile', '--balance', '90'], { answer: '' });
    expect(no.asked[0]?.match(/-?\d+/g)).toEqual(['94', '90', '-4']);
    expect(no.code).toBe(1);
    const yes = await run('ledger', 'reconcile', '--balance', '90', '--note', 'asked Jo', '--yes', '--json');
    expect(yes.json()).toEqual({ balance: 90, computed: 94, adjusted: -4 });
    const log = (await run('ledger', 'export', '--json')).out.trim().split('\n');
    const { kind, reason } = JSON.parse(log.at(-1) ?? '');
    expect([kind, reason]).toEqual(['adjustment', expect.stringContaining('asked Jo')]);
    const agreed = await run('ledger', 'reconcile', '--balance', '90', '--json');
    expect(agreed.json()).toMatchObject({ balance: 90, computed: 90, adjusted: 0 });
    expect(agreed.code).toBe(0);
    expect((await run('ledger', 'verify')).code).toBe(0);
  });

  it('reconcile books nothing when the books moved while the question stood', async () => {
    const ask = async () => {
      await run('ledger', 'grant', '--credits', '1', '--note', 'in between');
      return 'y';
    };
    const words = ['ledger', 'reconcile', '--balance', '10', '--json'];
    const { code, json } = await standIns.run(words, { io: { terminal: { ask } } });
    expect(json()).toMatchObject({ error: { code: 'books-moved' } });
    expect(code).toBe(1);
    expect((await run('spend', '--json')).json()).toMatchObject({ balanceCredits: 91 });
  });
});

const setBack = ['ledger', 'set-back', '--note', 'a wrong clock'];
const notAhead = { error: { code: 'not-ahead' } };
const seenByDoctor = async () => {
  const { checks } = (await run('doctor', '--json')).json() as { checks: { code: string }[] };
  return checks.map(({ code }) => code);
};

it('books ahead of time are set back once somebody agrees, and the doctor says when', async () => {
  expect((await run(...setBack, '--yes', '--json')).json()).toMatchObject(notAhead);
  const ahead = createLedger({
    store: createLedgerStore(openTogether(standIns.store)),
    account: String(readCsv((await run('ledger', 'export')).out)[1]?.[0]),
    clock: { ...standIns.clock, now: () => standIns.clock.now() + 40 * DAY_MS },
    random: seededRandom(1),
    digest: createDigest('what chains an entry is no secret'),
    budgets: {},
    timeZone: 'UTC',
  });
  await ahead.apply({ kind: 'grant', id: 'ahead', amountCredits: 1, reason: 'ahead' });
  expect(await seenByDoctor()).toContain('books-ahead');
  expect((await run(...setBack)).code).toBe(2);
  const agreed = await standIns.run([...setBack, '--json'], { answer: 'y' });
  expect(agreed.asked).toHaveLength(1);
  expect(agreed.json()).toMatchObject({ setBack: true });
  expect(agreed.code).toBe(0);
  expect(await seenByDoctor()).toContain('books-in-time');
  expect((await run('ledger', 'verify')).code).toBe(0);
  expect((await run('budgets')).out).toMatch(/total\/day +200 +6 +194 /);
  const { code, json } = await run(...setBack, '--yes', '--json');
  expect(json()).toMatchObject(notAhead);
  expect(code).toBe(4);
});

describe('doubts', () => {
  let key = '';

  it('arise where the answer is lost, and refuse the question with 3', async () => {
    await standIns.setting({ faults: [{ kind: 'reset-after', times: 1 }] });
    const lost = await run('lookup', 'email', address, '--yes', '--json');
    expect(lost.json()).toMatchObject({ error: { code: 'doubt' } });
    expect(lost.code).toBe(3);
    const again = await run('lookup', 'email', address, '--yes');
    expect(again.err).toContain('doubts resolve ');
    expect(again.code).toBe(3);
  });

  it('are listed without personal data', async () => {
    const { code, out } = await run('doubts', 'list', '--json');
    const [doubt, ...others] = JSON.parse(out) as Record<string, unknown>[];
    expect(others).toEqual([]);
    expect(doubt).toMatchObject({ operation: 'reverseEmail', purpose: 'manual', credits: 1 });
    key = String(doubt?.['questionKey']);
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(out).not.toContain('jane');
    expect(code).toBe(0);
    expect((await run('doubts', 'list')).out).toContain(key);
    expect(await seenByDoctor()).toContain('doubts-open');
    expect((await run('queue', 'status', '--json')).json()).toMatchObject({ unknownOutcomes: 1 });
    expect((await run('spend', '--json')).json()).toMatchObject({ doubtfulCredits: 1, openDoubts: [{}] });
  });

  it('bar an adjustment of the balance, which would count them twice', async () => {
    const { code, json } = await run('ledger', 'reconcile', '--balance', '1', '--yes', '--json');
    expect(json()).toMatchObject({
      error: { code: 'in-doubt', params: { dashboardCredits: 1, openCredits: 1 } },
    });
    expect(code).toBe(3);
  });

  it('go into the file of claims', async () => {
    const { code, out } = await run('review', 'claims', '--csv');
    const [head, row] = out.split('\r\n');
    expect(head).toBe('askedAt,why,operation,credits,requestId');
    expect(row).toMatch(/^20\d\d-[^,]+Z,[^,]+,reverseEmail,1,$/);
    expect(out).not.toContain('jane');
    const sums = (await run('review', 'claims')).out.trim().split('\n').at(-1);
    expect(sums?.match(/\d+/g)).toEqual(['1', '1']);
    expect(code).toBe(0);
  });

  it('are resolved by what was pasted: the first letters do, as do those that a page cut short', async () => {
    for (const given of [key.slice(0, 12), `${key.slice(0, 12)}…`]) {
      const { json } = await run('doubts', 'resolve', given, '--charged', '--note', 'invoice', '--json');
      expect(json()).toMatchObject({ error: { code: 'too-early' } });
    }
  });

  it('are not resolved while the answer may still come', async () => {
    const { code, json } = await run('doubts', 'resolve', key, '--charged', '--note', 'invoice', '--json');
    // The home page shows the same time.
    const { deadlineAtMs } = await attemptOf(key);
    const until = new Date(deadlineAtMs + ASKER_GRACE_MS).toISOString();
    expect(json()).toMatchObject({ error: { code: 'too-early', until } });
    expect(code).toBe(3);
  });

  it('are resolved as one of two', async () => {
    expect((await run('doubts', 'resolve', key, '--note', 'x')).code).toBe(2);
    const both = await run('doubts', 'resolve', key, '--charged', '--not-charged', '--note', 'x');
    expect(both.code).toBe(2);
  });

  it('are resolved as charged, and the books equal the bill again', async () => {
    await letDeadlinePass(key);
    const { code, json } = await run('doubts', 'resolve', key, '--charged', '--note', 'invoice', '--json');
    expect(json()).toEqual({ questionKey: key, resolved: true, credits: 1 });
    expect(code).toBe(0);
    expect((await run('doubts', 'list', '--json')).json()).toEqual([]);
    expect(await seenByDoctor()).toContain('no-doubts');
    expect((await run('spend', '--json')).json()).toMatchObject({
      spentTodayCredits: await standIns.bill(),
      doubtfulCredits: 0,
    });
    const gone = await run('doubts', 'resolve', key, '--charged', '--note', 'twice');
    expect(gone.code).toBe(4);
    expect((await run('ledger', 'verify')).code).toBe(0);
  });

  it('are resolved together after consent, except those that are too early', async () => {
    await run('lookup', 'email', 'answered@unknown-firm.com', '--yes');
    await standIns.setting({ faults: [{ kind: 'reset-after', times: 2 }] });
    for (const name of ['one', 'two']) await run('lookup', 'email', `${name}@unknown-firm.com`, '--yes');
    const all = ['doubts', 'resolve', '--all', '--not-charged', '--note', 'outage'];
    const asked = await run(...all, '--json');
    expect(asked.code).toBe(2);
    expect(asked.json()).toMatchObject({ error: { code: 'not-asked' } });
    const { error } = asked.json() as { error: { message: string } };
    expect(error.message.match(/\d+/g)?.slice(0, 2)).toEqual(['2', '2']);
    const early = (await run(...all, '--yes', '--json')).json();
    expect(early).toEqual({ resolved: 0, credits: 0, tooEarly: 2, gone: 0 });
    const [first = '', second = ''] = (await run('doubts', 'list', '--csv')).out.match(/[0-9a-f]{32}/g) ?? [];
    await letDeadlinePass(first);
    const none = await run(...all, '--before', '2020-01-01', '--yes', '--json');
    expect(none.json()).toMatchObject({ resolved: 0, tooEarly: 0 });
    const some = (await run(...all, '--yes', '--json')).json();
    expect(some).toEqual({ resolved: 1, credits: 0, tooEarly: 1, gone: 0 });
    await letDeadlinePass(second);
    expect((await run(...all, '--yes', '--json')).json()).toMatchObject({ resolved: 1, tooEarly: 0 });
    expect((await run('doubts', 'list', '--json')).json()).toEqual([]);
    const noneLeft = await run(...all, '--json');
    expect([noneLeft.code, noneLeft.json()]).toMatchObject([4, { resolved: 0 }]);
    const either = { error: { code: 'one-of-two', params: { option: '<doubt>', other: '--all' } } };
    for (const given of [['abc', '--all'], []])
      expect(
        (await run('doubts', 'resolve', ...given, '--charged', '--note', 'x', '--json')).json(),
      ).toMatchObject(either);
    await standIns.setting({ faults: [] });
  });

  const itemsNow = () =>
    plainItems(standIns.store, {
      kind: questionKind,
      parse: (value) => questionItemSchema.parse(value),
      indexPosition: questionKind.place,
    });

  async function attemptOf(questionKey: string) {
    const attempt = (await itemsNow().read(questionKey))?.value.attempt;
    if (!attempt) throw new Error('The doubt has an item.');
    return attempt;
  }

  /** As if the request had been sent an hour earlier. */
  async function letDeadlinePass(questionKey: string): Promise<void> {
    const attempt = { ...(await attemptOf(questionKey)), deadlineAtMs: 0 };
    const stored = await itemsNow().read(questionKey);
    if (!stored) throw new Error('The doubt has an item.');
    const value = { ...stored.value, attempt };
    await itemsNow().write({ key: questionKey, value, expectedVersion: stored.version });
  }
});
