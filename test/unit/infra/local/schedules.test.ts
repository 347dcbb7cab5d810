import { expect, it } from 'vitest';
import { systemSchedules } from '../../../../infra/local/loops.ts';
import type { System } from '../../../../infra/local/system.ts';

it('the schedule of the system begins with a sweep, which finds what an earlier process left', () => {
  const nothing = async () => undefined;
  const system = { reconcile: nothing, refreshStale: nothing } as unknown as System;
  const atOnce = systemSchedules(system).filter((schedule) => schedule.atOnce);
  expect(atOnce.map(({ name }) => name)).toEqual(['reconcile']);
});
