import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#shared/kernel/adapters';
import { demonstrate } from '../../../../infra/local/demonstration.ts';
import { type Sandbox, standInVendors, type Vendors } from '../../../../infra/local/vendors.ts';

let vendors: Vendors;
let sandbox: Sandbox;
beforeEach(async () => {
  const keep = async () => undefined;
  vendors = await standInVendors(
    {},
    { clock: systemClock, webhookUrl: 'http://127.0.0.1:9/hubspot', policy: { whom: {} }, keep },
  );
  if (!vendors.sandbox) throw new Error('The stand-ins play both services.');
  sandbox = vendors.sandbox;
});
afterEach(() => vendors.close());

describe('the records of the demonstration', () => {
  it('are five contacts and two companies, delivered once more where they are known', async () => {
    const { demos, again } = await demonstrate(sandbox, []);
    expect(demos.map(({ objectType }) => objectType)).toEqual([
      ...Array.from({ length: 5 }, () => 'contacts'),
      ...Array.from({ length: 2 }, () => 'companies'),
    ]);
    expect(again).toBe(false);
    expect(await demonstrate(sandbox, demos)).toEqual({ demos, again: true });
  });

  it('are not created twice by a start that came after one which was killed meanwhile', async () => {
    const { demos } = await demonstrate(sandbox, []);
    expect(await demonstrate(sandbox, [])).toEqual({ demos, again: false });
  });
});
