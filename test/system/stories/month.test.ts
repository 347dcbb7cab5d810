import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePolicy } from '#shared/field-policy';
import { systemClock } from '#shared/kernel/adapters';
import { run } from '../../../infra/cli/run.ts';
import { simulateMonth } from '../../../infra/local/month/month.ts';
import policy from '../../../infra/policy.ts';
import { isPortalState } from '../../../infra/sandbox/hubspot/state.ts';
import { startProgram } from '../../harness/programs.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'month-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(...args: readonly string[]) {
  return startProgram('infra/local/main.ts', args, { DATA_DIR: folder }).ended;
}

/** A command over the folder, and what it prints as JSON. */
async function command(...argv: readonly string[]) {
  const printed: string[] = [];
  const io = { out: (text: string) => void printed.push(text), err: () => undefined, colours: false };
  const code = await run([...argv, '--json'], { ...io, clock: systemClock, env: { DATA_DIR: folder } });
  return { code, told: JSON.parse(printed.join('')) };
}

/** Such as `contacts/546500000001`: the first one that the saved HubSpot shows as enriched. */
async function enrichedContact(): Promise<string> {
  const { hubSpot } = JSON.parse(await readFile(join(folder, 'sandbox/state.json'), 'utf8'));
  if (!isPortalState(hubSpot)) throw new Error('The folder has no HubSpot.');
  const contacts = Object.values(hubSpot.records['0-1']);
  return `contacts/${contacts.find(({ values }) => values['enrichment_status'] === 'enriched')?.id}`;
}

describe('npm start -- --month', () => {
  it('leaves a folder that the commands work on, and refuses to take it away', async () => {
    const first = await start('--month', '--once');
    expect(first).toMatchObject({ code: 0, err: '' });

    const verified = await command('ledger', 'verify');
    expect(verified).toMatchObject({ code: 0, told: { ok: true, problems: [] } });
    expect(verified.told.entries).toBeGreaterThan(1_500);
    expect(await command('runs', 'verify')).toMatchObject({ code: 0 });
    const { told: doubts } = await command('doubts', 'list');
    expect(doubts).toHaveLength(1);
    const { code, told: explained } = await command('explain', await enrichedContact());
    expect(code).toBe(0);
    expect(JSON.stringify(explained)).toContain('jobtitle');

    const again = await start('--month', '--once');
    expect(again.code).toBe(1);
    expect(again.err).toContain('--fresh');
    // What an ordinary start finds is an ordinary folder.
    const ordinary = await start('--once');
    expect(ordinary.err).toBe('');
    // Late in the day the month has left too few credits for all seven records: they wait until tomorrow.
    if (ordinary.code !== 0)
      expect(ordinary).toMatchObject({ code: 1, out: expect.stringContaining('(budget)') });
    expect((await command('ledger', 'verify')).code).toBe(0);
  });

  it('takes the same course for the same seed and end', async () => {
    const hash = async (seed: number) => {
      const options = { policy: parsePolicy(policy), seed, endMs: Date.UTC(2026, 10, 21, 15, 20) };
      const { world } = await simulateMonth(options);
      return (await world.system.services.ledger.newest())?.hash;
    };
    const first = await hash(1);
    expect(await hash(1)).toBe(first);
    expect(await hash(2)).not.toBe(first);
  });
});
