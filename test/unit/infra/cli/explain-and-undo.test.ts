import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { CUT_NOTE } from '../../../../infra/cli/commands/questions/asker.ts';
import { CliError, EXIT } from '../../../../infra/cli/terminal/exit.ts';
import { noise } from '../../shared/questions/noise.ts';
import { type StandIns, startStandIns } from './console.ts';

let standIns: StandIns;
let record = '';
/** The world belongs to all tests of a process. */
let restoreWorld = () => undefined as unknown;
const run = (...words: string[]) => standIns.run(words);

/** A company that was enriched by a command, in a data folder that nobody else works in. */
beforeAll(async () => {
  standIns = await startStandIns({}, { hasWorkers: false });
  const { dataService, create } = standIns;
  const company = dataService.world.companies[3];
  const { about } = company ?? {};
  restoreWorld = () => Object.assign(company ?? {}, { about });
  // Too large to store, and too long for the property of HubSpot.
  Object.assign(company ?? {}, { about: noise(100_000) });
  record = `companies/${await create('companies', { domain: company?.domains[0] })}`;
  await run('setup');
  const enriched = await run('enrich', record, '--yes', '--json');
  expect(enriched.json()).toMatchObject({ outcome: 'enriched' });
});
afterAll(async () => {
  restoreWorld();
  await standIns.stop();
});

describe('explain', () => {
  it('shows on one screen what led to a value, and whose it is now', async () => {
    const { code, out } = await run('explain', record, 'city');
    expect(code).toBe(0);
    expect(out).toMatch(/enriched at .*Matched by company domain/);
    expect(out).toMatch(/run 1, .*: manual, enriched, 1 credit, policy /);
    expect(out).toMatch(/question Company profile [0-9a-f]{64}, answered /);
    expect(out).toMatch(/city +\(empty\) +\S.* written +ours/);
    expect(out).not.toContain('country');
    expect(out.split('\n').length).toBeLessThan(15);
  });

  it('has it all as JSON', async () => {
    const told = (await run('explain', record, '--json')).json();
    expect(told).toMatchObject({ record, runsOpened: 1, creditsSpent: 1 });
    const { lastCheckAt, refresh } = told as { lastCheckAt: string; refresh: { dueAt: string } };
    expect(refresh).toMatchObject({ weight: 1, credits: 1 });
    expect(Date.parse(refresh.dueAt) - Date.parse(lastCheckAt)).toBe(90 * DAY_MS);
    expect(told['now']).toMatchObject({ city: 'ours', enrichment_status: 'ours' });
  });

  it('says that the store has only a part of an answer', async () => {
    expect((await run('explain', record, '--json')).json()).toMatchObject({ creditsSpent: 1, isCut: true });
    expect((await run('explain', record)).out).toContain(CUT_NOTE);
  });

  it('says so where nothing is known', async () => {
    expect(await run('explain', 'companies/999')).toMatchObject({
      code: 4,
      err: expect.stringMatching(/^This record has no enrichment run yet\.$/m),
    });
  });
});

describe('undo', () => {
  it('wants to know what', async () => {
    expect(await run('undo')).toMatchObject({ code: 2, err: expect.stringContaining('--from') });
    expect(await run('undo', '--from', 'yesterday')).toMatchObject({ code: 2 });
    expect(await run('undo', record)).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect(await run('undo', '--from', '2001-01-01', '--to', '2001-01-02', '--yes')).toMatchObject({
      code: 4,
    });
  });

  it('shows first, then does it, and is not offered again', async () => {
    for (const words of [
      ['undo', record, '--property', 'citty', '--yes'],
      ['undo', record, '--run', '99', '--yes'],
      ['explain', record, 'citty'],
    ]) {
      const { code, err } = await run(...words);
      expect([code, err]).toEqual([
        4,
        expect.stringMatching(/(?:citty|run 99) of companies.*(?:has written|The journal has):/),
      ]);
    }
    const dry = await run('undo', record, '--property', 'city', '--dry-run');
    expect(dry.out).toMatch(/city +\S.* +\(empty\) +would be restored/);
    expect((await run('explain', record, '--json')).json()).toMatchObject({ now: { city: 'ours' } });
    const done = await run('undo', record, '--property', 'city', '--yes', '--json');
    expect(done.json()).toMatchObject({
      dryRun: false,
      records: [{ record, restored: [{ property: 'city', to: null }], kept: [] }],
    });
    expect((await run('undo', record, '--property', 'city', '--yes')).out).toContain('None of our values');
    const { out } = await run('explain', record, 'city');
    expect(out).toMatch(/run 2, .*: undo, 0 credits/);
  });

  it('takes a window of time, and one run', async () => {
    const window = ['undo', '--from', '2026-01-01', '--property', 'country', '--json'];
    const dry = (await run(...window, '--dry-run')).json();
    expect(dry).toMatchObject({ records: [{ record, restored: [{ property: 'country' }] }] });
    expect((await run('undo', record, '--run', '1', '--dry-run')).out).toContain('country');
  });

  it('of many records stops at Ctrl-C, and says how it goes on', async () => {
    const stopped = new CliError('Stopped.', { exit: EXIT.failed, code: 'stopped' });
    const { code, err } = await standIns.run(['undo', '--from', '2026-01-01', '--yes'], {
      io: { signal: AbortSignal.abort(stopped) },
    });
    expect(code).toBe(1);
    expect(err).toMatch(/Stopped\. To continue: undo --from 2026-01-01T00:00:00\.000Z --to 20\S+Z\n$/);
  });

  it('leaves the runs adding up', async () => {
    expect((await run('runs', 'verify', '--json')).json()).toMatchObject({ opened: 2, ended: 2, lost: 0 });
  });
});
