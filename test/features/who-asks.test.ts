import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '#shared/kernel';
import { contact, somePerson } from '../harness/people.ts';
import { liveOn, settleDown, undo } from '../harness/steps.ts';
import { createWorld } from '../harness/world.ts';

const REQUEST = { enrichment_requested: 'true' };

/** A contact whose job title an undo took back, and whose city a person emptied. */
async function emptied() {
  const world = await createWorld();
  const record = await contact(world);
  await settleDown(world);
  await undo(world, record, { property: 'jobtitle' });
  await world.portal.edit(record, { city: '' });
  await settleDown(world);
  return { world, record };
}

describe('a request by the property `enrichment_requested`', () => {
  it.each([
    { source: 'AUTOMATION_PLATFORM', sourceId: '42' },
    { source: 'INTEGRATION', sourceId: '4711' },
    { source: 'IMPORT', sourceId: '9' },
  ])('brings back nothing that people emptied or undid, where no person set it: $source', async (author) => {
    const { world, record } = await emptied();
    await world.portal.edit(record, REQUEST, author);
    await liveOn(world, { forMs: 10 * MINUTE_MS });
    const after = await world.portal.properties(record);
    expect([after['jobtitle'] ?? '', after['city'] ?? '']).toEqual(['', '']);
    expect(after['enrichment_requested']).toBe('false');
  });

  it.each(['CRM_UI', 'CRM_UI_BULK_ACTION'])('brings them back, where a person set it: %s', async (source) => {
    const { world, record } = await emptied();
    await world.portal.edit(record, REQUEST, { source, sourceId: 'userId:7' });
    await liveOn(world, { forMs: 10 * MINUTE_MS });
    const { job, place } = somePerson(world);
    expect(await world.portal.properties(record)).toMatchObject({ jobtitle: job.title, city: place.city });
  });

  it('by a person and a workflow at once is a person’s', async () => {
    const { world, record } = await emptied();
    await world.portal.edit(record, REQUEST, { source: 'AUTOMATION_PLATFORM', sourceId: '42' });
    await world.portal.edit(record, { enrichment_requested: 'false' });
    await world.portal.edit(record, REQUEST);
    await settleDown(world);
    expect(await world.portal.properties(record)).toMatchObject({ jobtitle: somePerson(world).job.title });
  });
});
