import { afterAll, describe, expect, it } from 'vitest';
import { because, explanationText } from '#shared/records';
import { CUT_NOTE } from '../../../../infra/cli/commands/asker.ts';
import { CliError, EXIT } from '../../../../infra/cli/terminal/exit.ts';
import { startStandIns } from '../../../harness/console.ts';
import { noise } from '../../shared/questions/noise.ts';

const standIns = await startStandIns({}, { hasWorkers: false });
/** The world belongs to all tests of a process. */
const run = (...words: string[]) => standIns.run(words);

/** A company that was enriched by a command, in a data folder that nobody else works in. */
const { dataService, create } = standIns;
const company = dataService.world.companies[3];
const { about } = company ?? {};
const restoreWorld = () => Object.assign(company ?? {}, { about });
// Too large to store.
Object.assign(company ?? {}, { about: noise(65_000) });
const record = `companies/${await create('companies', { domain: company?.domains[0] })}`;
await run('setup');
const enriched = await run('enrich', record, '--yes', '--json');
expect(enriched.json()).toMatchObject({ outcome: 'enriched' });
afterAll(async () => {
  restoreWorld();
  await standIns.stop();
});

describe('explain', () => {
  it('shows on one screen what led to a value, and whose it is now', async () => {
    const { code, out } = await run('explain', record, 'city');
    expect(code).toBe(0);
    const matched = because('matched', { operation: 'companyProfile' });
    expect(out).toContain(explanationText(matched));
    expect(out).not.toContain('country');
    expect(out.split('\n').length).toBeLessThan(16);
    expect((await run('explain', record, 'city', '--json')).json()).toMatchObject({
      outcome: { status: 'enriched', ...matched },
      runs: [
        {
          run: 1,
          purpose: 'manual',
          outcome: 'enriched',
          credits: 1,
          ...matched,
          question: { operation: 'companyProfile', key: expect.stringMatching(/^[0-9a-f]{32}$/) },
          changes: [{ property: 'city', before: null, state: 'written' }],
        },
      ],
      now: { city: 'ours' },
    });
  });

  it('says that the store has only a part of an answer', async () => {
    expect((await run('explain', record, '--json')).json()).toMatchObject({ creditsSpent: 1, isCut: true });
    expect((await run('explain', record)).out).toContain(CUT_NOTE);
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
    for (const [missing, ...words] of [
      ['no-property', 'undo', record, '--property', 'citty', '--yes'],
      ['no-run', 'undo', record, '--run', '99', '--yes'],
      ['no-property', 'explain', record, 'citty'],
    ]) {
      const { code, json } = await run(...words, '--json');
      expect([code, json()]).toEqual([4, { error: expect.objectContaining({ code: missing }) }]);
    }
    const dry = await run('undo', record, '--property', 'city', '--dry-run', '--json');
    expect(dry.json()).toMatchObject({
      dryRun: true,
      records: [{ restored: [{ property: 'city', to: null }] }],
    });
    expect((await run('explain', record, '--json')).json()).toMatchObject({ now: { city: 'ours' } });
    const done = await run('undo', record, '--property', 'city', '--yes', '--json');
    expect(done.json()).toMatchObject({
      dryRun: false,
      records: [{ record, restored: [{ property: 'city', to: null }], kept: [] }],
    });
    expect(await run('undo', record, '--property', 'city', '--yes')).toMatchObject({ code: 4 });
    const { runs } = (await run('explain', record, 'city', '--json')).json();
    expect(runs).toMatchObject([{}, { run: 2, kind: 'undo', code: 'undone', credits: 0 }]);
  });

  it('of many records stops at Ctrl-C, and says how it goes on', async () => {
    const stopped = new CliError('stopped', 'Stopped.', { exit: EXIT.failed });
    const { code, err } = await standIns.run(['undo', '--from', '2026-01-01', '--yes'], {
      io: { signal: AbortSignal.abort(stopped) },
    });
    expect(code).toBe(1);
    expect(err).toMatch(/undo --from 2026-01-01T00:00:00\.000Z --to 20\S+Z\n$/);
  });

  it('leaves the runs adding up', async () => {
    expect((await run('runs', 'verify', '--json')).json()).toMatchObject({ opened: 2, ended: 2, lost: 0 });
  });
});
