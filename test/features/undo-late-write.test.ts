import { describe, expect, it } from 'vitest';
import { APP_ID } from '../harness/hubspot-portal.ts';
import { contact } from '../harness/people.ts';
import { settleDown, undo } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

const LOST = { path: 'contacts/batch/update', kind: 'status', status: 503, rate: 1, times: 1 } as const;
const OURS = { source: 'INTEGRATION', sourceId: String(APP_ID) } as const;

type Record = Awaited<ReturnType<typeof contact>>;

/** An enriched contact; `onFailure` happens once HubSpot has failed at the undo's write. */
async function enriched(onFailure: (world: World, record: Record) => Promise<void> = async () => {}) {
  let meanwhile: (() => Promise<void>) | undefined;
  const world: World = await createWorld({
    through: (send) => async (request) => {
      const response = await send(request);
      const happens = response.status === 503 ? meanwhile : undefined;
      meanwhile = happens ? undefined : meanwhile;
      await happens?.();
      return response;
    },
  });
  const record = await contact(world);
  await settleDown(world);
  const { jobtitle = '' } = await world.portal.properties(record);
  meanwhile = () => onFailure(world, record);
  return { world, record, jobtitle };
}

async function titleOf(world: World, record: Record): Promise<string> {
  return (await world.portal.properties(record))['jobtitle'] ?? '';
}

describe('an undo whose write HubSpot fails at', () => {
  it('is repeated', async () => {
    const { world, record, jobtitle } = await enriched();
    await world.portal.change({ faults: [LOST] });
    expect(await undo(world, record, { property: 'jobtitle' })).toMatchObject({
      restored: [{ property: 'jobtitle', from: jobtitle, to: null }],
      kept: [],
    });
    expect(await titleOf(world, record)).toBe('');
  });

  it('gives back what a person typed before the failed write arrived late', async () => {
    const { world, record, jobtitle } = await enriched(async (its, name) => {
      await its.portal.edit(name, { jobtitle: 'Master Potter' });
      await its.portal.edit(name, { jobtitle: '' }, OURS);
    });
    await world.portal.change({ faults: [LOST] });
    const report = await undo(world, record, { property: 'jobtitle' });
    expect(report).toMatchObject({ restored: [{ from: jobtitle, to: 'Master Potter' }] });
    expect(await titleOf(world, record)).toBe('Master Potter');
    await settleDown(world);
    expect(await titleOf(world, record)).toBe('Master Potter');
  });

  it('keeps what a person typed, where the write never arrives', async () => {
    const { world, record } = await enriched((its, name) =>
      its.portal.edit(name, { jobtitle: 'Master Potter' }),
    );
    await world.portal.change({ faults: [LOST] });
    expect(await undo(world, record, { property: 'jobtitle' })).toMatchObject({ restored: [] });
    expect(await titleOf(world, record)).toBe('Master Potter');
  });

  it('ends as failed where HubSpot stays down, and says so', async () => {
    const { world, record, jobtitle } = await enriched();
    await world.portal.change({ faults: [{ ...LOST, times: 20 }] });
    expect(await undo(world, record, { property: 'jobtitle' })).toMatchObject({
      restored: [],
      kept: [{ property: 'jobtitle', code: 'refused' }],
    });
    expect(await titleOf(world, record)).toBe(jobtitle);
    expect((await world.state(record))?.outcome).toMatchObject({ kind: 'failed' });
  });
});

it('an undo of which HubSpot refuses one value brings back the others, and says why', async () => {
  const world = await createWorld({ policy: { fields: { contacts: { jobtitle: { write: 'always' } } } } });
  const record = await contact(world, 0, { jobtitle: 'Potter' });
  await settleDown(world);
  const rule = { objectType: 'contact', propertyName: 'jobtitle' } as const;
  await world.portal.change({ valueRules: [{ ...rule, ruleType: 'MIN_LENGTH', ruleArguments: ['7'] }] });
  const report = await undo(world, record);
  if (typeof report === 'string') throw new Error(report);
  expect(report.restored.length).toBeGreaterThan(2);
  expect(report.kept).toMatchObject([{ property: 'jobtitle', code: 'refused' }]);
});
