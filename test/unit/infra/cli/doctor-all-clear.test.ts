import { expect, it, onTestFinished } from 'vitest';
import { ledgerEntryKind } from '#inside/credit-ledger/stored-kinds.ts';
import type { Check } from '../../../../infra/doctor/check.ts';
import { readCsv, startStandIns } from '../../../harness/console.ts';
import { putRaw, rawItem, removeRaw } from '../../../harness/memory-items.ts';

/** Nothing listens at the webhook address of these stand-ins. */
const OF_THE_ADDRESS = new Set(['webhook target', "app's card and action"]);

async function install() {
  const standIns = await startStandIns();
  onTestFinished(standIns.stop);
  const run = (...words: string[]) => standIns.run(words);
  await run('setup');
  const examine = async () => {
    const { checks } = (await run('doctor', '--json')).json() as unknown as { checks: Check[] };
    const fails = checks.filter(({ name, verdict }) => verdict === 'fail' && !OF_THE_ADDRESS.has(name));
    return { checks, fails, of: (name: string) => checks.find((check) => check.name === name) };
  };
  const person = (name: string) => run('lookup', 'email', `${name}@unknown-firm.com`, '--yes');
  return { ...standIns, run, examine, person };
}

it('doctor fails because a person stopped spending', async () => {
  const { run, examine } = await install();
  expect((await examine()).of('stops')).toMatchObject({ verdict: 'ok', code: 'nothing-stopped' });
  await run('spend', 'stop', '--reason', 'budget review');
  expect((await examine()).fails).toMatchObject([
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

it('doctor tells of a refused key once', async () => {
  const { setting, examine, person } = await install();
  await setting({ faults: [{ kind: 'status', status: 401, times: 9 }] });
  await person('refused');
  const { fails, of } = await examine();
  expect(fails.map(({ name }) => name)).toEqual(['data service key']);
  expect(of('stops')).toMatchObject({ code: 'stops-reported-elsewhere' });
  await setting({ faults: [] });
  expect((await examine()).fails).toEqual([]);
});

it('doctor warns of a budget that is used up, as spend does', async () => {
  const { run, examine } = await install();
  await run('search', 'people', '--not-title', 'Intern', '--max', '300', '--yes');
  const { fails, of } = await examine();
  expect(fails).toEqual([]);
  expect(of('stop budget-used-up')).toMatchObject({ verdict: 'warn', code: 'stopped-by-budget' });
  expect((await run('spend', '--json')).json()).toMatchObject({ stops: [{ kind: 'budget-used-up' }] });
});

it('doctor fails because an entry of the ledger was edited, and because one was deleted', async () => {
  const { run, store, examine, person } = await install();
  for (const name of ['one', 'two']) await person(name);
  const entries = readCsv((await run('ledger', 'export')).out).length - 1;
  expect((await examine()).of('books')).toMatchObject({ code: 'books-hold', params: { entries } });
  const key = ledgerEntryKind.key(1);
  const edit = (credits: number) => {
    const body = rawItem(store, ledgerEntryKind, key)?.body;
    const changed = { ...body, amountCredits: Number(body.amountCredits) + credits };
    putRaw(store, { kind: ledgerEntryKind, key, body: changed });
  };
  edit(1);
  expect((await examine()).fails).toMatchObject([
    { code: 'books-differ', params: { seq: 1, command: 'ledger verify' } },
  ]);
  edit(-1);
  expect((await examine()).fails).toEqual([]);
  removeRaw(store, ledgerEntryKind, ledgerEntryKind.key(2));
  expect((await examine()).fails).toMatchObject([{ name: 'books' }]);
});

it('doctor fails once if HubSpot answers 429, to everything or from the second request on', async () => {
  const { hubSpot, examine } = await install();
  const limit = { kind: 'status', status: 429, policyName: 'DAILY', rate: 1 };
  for (const fault of [limit, { ...limit, path: '/crm/' }]) {
    await hubSpot('PUT', '/_sandbox/settings', { faults: [fault] });
    const { fails, checks } = await examine();
    expect(fails).toMatchObject([{ code: 'hubspot-daily-limit' }]);
    const left = checks.filter(({ code }) => code === 'not-checked');
    expect(left.length).toBeGreaterThan(0);
    expect(left[0]?.params).toEqual({ cause: fails[0]?.name, status: 429 });
  }
});
