import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact } from '../harness/people.ts';
import { sweeps } from '../harness/removals.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';
import { createCommands, openConsole } from '../laws/simulation/console.ts';

const KEPT_DAYS = 100;
const RETENTION = { contacts: [{ name: 'leads', days: KEPT_DAYS }] };

/** Two contacts whose values have expired, before any sweep. */
async function expired() {
  const world = await createWorld({ policy: { privacy: { retention: RETENTION } } });
  const records = [await contact(world), await contact(world, 1)];
  await settleDown(world);
  await world.clock.sleep((KEPT_DAYS + 1) * DAY_MS);
  return { world, records };
}

const titlesOf = (world: World, records: readonly RecordName[]) =>
  Promise.all(records.map(async (each) => (await world.portal.properties(each))['jobtitle']));

async function jsonOf(world: World, ...more: readonly string[]) {
  const printed = await openConsole(world)('privacy', 'retention', '--json', ...more);
  return JSON.parse(printed ?? '{}') as {
    readonly dryRun: boolean;
    readonly rules: readonly { readonly rule: string; readonly records: number; readonly values: number }[];
    readonly records: readonly { readonly values: number; readonly open?: string }[];
  };
}

describe('privacy retention', () => {
  it('lists with --dry-run what it would empty, and changes nothing', async () => {
    const { world, records } = await expired();
    const planned = await jsonOf(world, '--dry-run');
    expect(planned).toMatchObject({ dryRun: true, rules: [{ rule: 'leads', records: 2 }] });
    expect(await titlesOf(world, records)).toEqual([expect.any(String), expect.any(String)]);
    const done = await jsonOf(world, '--yes');
    expect(done).toEqual({ ...planned, dryRun: false });
    expect(await titlesOf(world, records)).toEqual([undefined, undefined]);
    expect(await jsonOf(world, '--yes')).toMatchObject({ rules: [], records: [] });
  });

  it('lists what it emptied, by rule, without a value', async () => {
    const { world, records } = await expired();
    const titles = await titlesOf(world, records);
    const printed = (await openConsole(world)('privacy', 'retention', '--yes')) ?? '';
    expect(printed).toMatch(/leads +2 +\d+/);
    expect(printed).toContain(`contacts/${records[0]?.id}`);
    for (const title of titles) expect(printed).not.toContain(title);
  });

  it('names records that HubSpot would not empty', async () => {
    const { world } = await expired();
    await world.portal.change({ faults: [{ kind: 'status', status: 503, rate: 1, path: 'batch/update' }] });
    const { records } = await jsonOf(world, '--yes');
    expect(records).toHaveLength(2);
    for (const { values, open } of records) expect([values, open]).toEqual([0, expect.any(String)]);
  });

  it('is finished by the sweep, or by its repetition, if it dies at any of its calls', async () => {
    for (let at = 5; at < 120; at += 23) {
      const { world, records } = await expired();
      const commands = createCommands(world);
      commands.plan([{ at, effect: at % 2 === 0 ? 'none' : 'done', kind: 'death' }]);
      await commands.run('privacy', 'retention', '--yes').catch(() => undefined);
      await world.clock.sleep(DAY_MS / 2);
      if (at % 2 === 0) await sweeps(world);
      else await jsonOf(world, '--yes');
      expect([at, ...(await titlesOf(world, records))]).toEqual([at, undefined, undefined]);
      for (const record of records) expect((await world.state(record))?.removal?.isDone).toBe(true);
    }
  });
});
