import { expect, it } from 'vitest';
import { type HomeServices, homeKind, keepHome } from '#shared/home';
import { HOUR_MS } from '#shared/kernel';
import { createWorld } from '../../../harness/world.ts';

it('stores no page if the program itself fails while it counts notices', async () => {
  const world = await createWorld();
  await world.processes.reconcile();
  const { services, policy, clock } = world;
  const before = (await services.homes.read(homeKind.key()))?.value;
  expect(before).toBeDefined();
  await clock.sleep(2 * HOUR_MS);
  const fault = new TypeError('A fault of the program.');
  const broken: HomeServices = {
    ...services,
    policy,
    clock,
    crm: {
      ...services.crm,
      definitions: () => Promise.reject(fault),
      list: () => {
        throw fault;
      },
    },
  };
  await expect(keepHome(broken)).rejects.toBe(fault);
  expect((await services.homes.read(homeKind.key()))?.value).toEqual(before);
});
