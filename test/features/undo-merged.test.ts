import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { cardOf } from '../harness/at-the-screen.ts';
import { contact } from '../harness/people.ts';
import { refreshAfter, settleDown, undo } from '../harness/steps.ts';
import { createWorld } from '../harness/world.ts';

/** Two enriched contacts, of which the one that remains has lost its job title to an undo, or to a person. */
async function merged(by: 'undo' | 'person') {
  const world = await createWorld();
  const a = await contact(world);
  const b = await contact(world, 1);
  await settleDown(world);
  if (by === 'undo') await undo(world, a, { property: 'jobtitle' });
  else await world.portal.edit(a, { jobtitle: '' });
  await settleDown(world);
  const winner = await world.portal.merge(a, b);
  await settleDown(world);
  return { world, winner };
}

describe('our value that a merge has brought from the other record', () => {
  it.each(['undo', 'person'] as const)(
    'is taken back by an undo, after the first was emptied by: %s',
    async (by) => {
      const { world, winner } = await merged(by);
      // The merge brings another address, so the record is looked up again, and a newer answer may have replaced it.
      expect((await world.portal.properties(winner))['jobtitle'] ?? '').not.toBe('');
      const report = await undo(world, winner, { property: 'jobtitle' });
      expect(report).toMatchObject({ restored: [{ property: 'jobtitle', to: null }], kept: [] });
      expect((await world.portal.properties(winner))['jobtitle'] ?? '').toBe('');
    },
  );
});

it('a value that an undo brought back stays after a merge, also when the record is looked up again', async () => {
  let version = 1;
  const world = await createWorld({
    through: (send) => async (request) => {
      const response = await send(request);
      return {
        ...response,
        body: response.body.replaceAll(/"title":"[^"]*"/g, `"title":"Potter ${version}"`),
      };
    },
  });
  const [a, b] = [await contact(world), await contact(world, 1)];
  await settleDown(world);
  version = 2;
  await refreshAfter(world, 400 * DAY_MS);
  await undo(world, b, { property: 'jobtitle', run: 2 });
  await undo(world, a, { property: 'jobtitle' });
  const winner = await world.portal.merge(a, b);
  const jobtitle = async () => (await world.portal.properties(winner))['jobtitle'];
  expect(await jobtitle()).toBe('Potter 1');
  version = 3;
  await settleDown(world);
  await refreshAfter(world, 400 * DAY_MS);
  expect(await jobtitle()).toBe('Potter 1');
});

it('the card calls our values ours after a merge', async () => {
  const world = await createWorld();
  const [a, b] = [await contact(world), await contact(world, 1)];
  await settleDown(world);
  await undo(world, a, { property: 'jobtitle' });
  const winner = await world.portal.merge(a, b);
  await settleDown(world);
  const { view } = await cardOf(world, winner).show();
  const ours = view.values.filter(({ now }) => now === 'ours').map(({ property }) => property);
  expect(ours).toEqual(expect.arrayContaining(['jobtitle', 'city']));
  expect(view.values.filter(({ now }) => now === 'changed')).toEqual([]);
});

describe('an undo says who changed a value', () => {
  it.each([
    ['CRM_UI', 'a person has changed it since'],
    ['MOBILE_IOS', 'a person has changed it since'],
    ['IMPORT', 'another app or import has changed it since'],
  ])('%s: %s', async (source, reason) => {
    const world = await createWorld();
    const record = await contact(world);
    await settleDown(world);
    await world.portal.edit(record, { jobtitle: 'Master Potter' }, { source, sourceId: '9' });
    expect(await undo(world, record, { property: 'jobtitle' })).toMatchObject({
      kept: [{ property: 'jobtitle', reason }],
    });
  });
});
