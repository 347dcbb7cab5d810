import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ledgerEntryKind } from '#inside/credit-ledger/stored-kinds.ts';
import type { Check } from '../../../../infra/local/doctor/check.ts';
import { putRaw, rawItem, removeRaw } from '../../../harness/memory-items.ts';
import { readCsv, type StandIns, startStandIns } from './console.ts';

let standIns: StandIns;
const run = (...words: string[]) => standIns.run(words);
const person = (name: string) => run('lookup', 'email', `${name}@unknown-firm.com`, '--yes');

beforeAll(async () => {
  standIns = await startStandIns();
  await run('setup');
  await person('first');
});
afterAll(() => standIns.stop());

/** Nothing listens at the webhook address of these stand-ins. */
const OF_THE_ADDRESS = new Set(['webhook target', "app's card and action"]);

async function examine() {
  const { json, out } = await run('doctor', '--json');
  const { checks } = json() as unknown as { checks: Check[] };
  const fails = checks.filter(({ name, verdict }) => verdict === 'fail' && !OF_THE_ADDRESS.has(name));
  return { checks, fails, out, of: (name: string) => checks.find((check) => check.name === name) };
}

describe('doctor fails while nothing is bought', () => {
  it('because a person stopped spending', async () => {
    expect((await examine()).of('stops')).toMatchObject({ verdict: 'ok', code: 'nothing-stopped' });
    await run('spend', 'stop', '--reason', 'budget review');
    const { fails } = await examine();
    expect(fails).toMatchObject([
      {
        name: 'stop stopped-by-person',
        code: 'stopped-by-person',
        params: { what: expect.stringContaining('budget review'), command: 'spend resume' },
      },
    ]);
    expect((await run('doctor')).code).toBe(1);
    await run('spend', 'resume');
    expect((await examine()).fails).toEqual([]);
  });

  it('tells of a refused key once', async () => {
    await standIns.stop();
    standIns = await startStandIns();
    await run('setup');
    await standIns.setting({ faults: [{ kind: 'status', status: 401, times: 9 }] });
    await person('refused');
    const { fails, of } = await examine();
    expect(fails.map(({ name }) => name)).toEqual(['data service key']);
    expect(of('stops')).toMatchObject({ code: 'stops-reported-elsewhere' });
    await standIns.setting({ faults: [] });
    expect((await examine()).fails).toEqual([]);
  });
});

it('doctor warns of a budget that is used up, as spend does', async () => {
  await standIns.stop();
  standIns = await startStandIns();
  await run('setup');
  await run('search', 'people', '--not-title', 'Intern', '--max', '300', '--yes');
  const { fails, of } = await examine();
  expect(fails).toEqual([]);
  expect(of('stop budget-used-up')).toMatchObject({ verdict: 'warn', code: 'stopped-by-budget' });
  expect((await run('spend', '--json')).json()).toMatchObject({ stops: [{ kind: 'budget-used-up' }] });
});

describe('doctor fails while the ledger does not hold', () => {
  const newest = async () => readCsv((await run('ledger', 'export')).out).length - 1;

  it('because an entry was edited, and because one was deleted', async () => {
    await standIns.stop();
    standIns = await startStandIns();
    await run('setup');
    for (const name of ['one', 'two']) await person(name);
    const count = await newest();
    expect((await examine()).of('books')).toMatchObject({
      code: 'books-hold',
      params: { entries: count },
    });
    const key = ledgerEntryKind.key(1);
    const edit = (credits: number) => {
      const body = rawItem(standIns.store, ledgerEntryKind, key)?.body;
      const changed = { ...body, amountCredits: Number(body.amountCredits) + credits };
      putRaw(standIns.store, { kind: ledgerEntryKind, key, body: changed });
    };
    edit(1);
    expect((await examine()).fails).toMatchObject([
      { code: 'books-differ', params: { seq: 1, command: 'ledger verify' } },
    ]);
    edit(-1);
    expect((await examine()).fails).toEqual([]);
    removeRaw(standIns.store, ledgerEntryKind, ledgerEntryKind.key(2));
    expect((await examine()).fails).toMatchObject([{ name: 'books' }]);
  });
});

describe('one fault is one fail', () => {
  const faults = (faults: object[]) => standIns.hubSpot('PUT', '/_sandbox/settings', { faults });
  beforeAll(async () => {
    await standIns.stop();
    standIns = await startStandIns();
    await run('setup');
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await faults([]);
  });

  it('that HubSpot answers 429, to everything or from the second request on', async () => {
    const limit = { kind: 'status', status: 429, policyName: 'DAILY', rate: 1 };
    for (const fault of [limit, { ...limit, path: '/crm/' }]) {
      await faults([fault]);
      const { fails, checks } = await examine();
      expect(fails).toMatchObject([{ code: 'hubspot-daily-limit' }]);
      const left = checks.filter(({ code }) => code === 'not-checked');
      expect(left.length).toBeGreaterThan(0);
      expect(left[0]?.params).toEqual({ cause: fails[0]?.name, status: 429 });
    }
  });
});
