import { expect, it } from 'vitest';
import { HOUR_MS } from '#shared/kernel/clock.ts';
import { APP_ID } from '../builders/hubspot-portal.ts';
import { contact } from '../builders/people.ts';
import { liveOn, settleDown } from '../builders/steps.ts';
import { createWorld } from '../builders/world.ts';

it('what a late write took from a person is brought back, also where nothing is to be written any more', async () => {
  const world = await createWorld();
  const fault = { path: 'contacts/batch/update', kind: 'status', status: 503, rate: 1, times: 1 } as const;
  await world.portal.change({ faults: [fault] });
  const record = await contact(world);
  await settleDown(world);
  expect((await world.state(record))?.waiting?.reason).toBe('WRITE_UNCONFIRMED');
  const { jobtitle = '' } = await world.portal.properties(record);
  await world.portal.edit(record, { jobtitle: 'Master Potter', hs_contact_enrichment_opt_out: 'true' });
  // The attempt that was answered with 503 is processed after all.
  await world.portal.edit(record, { jobtitle }, { source: 'INTEGRATION', sourceId: String(APP_ID) });
  await liveOn(world, { forMs: HOUR_MS });
  expect(await world.portal.properties(record)).toMatchObject({ jobtitle: 'Master Potter' });
  expect((await world.state(record))?.outcome?.kind).toBe('skipped');
});
