import { describe, expect, it, onTestFinished } from 'vitest';
import { parsePolicy } from '#shared/field-policy';
import { systemClock } from '#shared/kernel/adapters';
import { openWorld } from '../../../../infra/local/month/world.ts';
import { standInVendors } from '../../../../infra/local/vendors.ts';
import type { SandboxSettings } from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';

const POLICY = parsePolicy({
  budgets: { perDay: 100 },
  whom: { contacts: [{ name: 'customers', when: [{ property: 'lifecyclestage', is: 'customer' }] }] },
});

/** Properties whose changes the stand-in reports for an object type. */
function watched(state: unknown, type: string): string[] {
  const { settings } = state as { settings: Pick<SandboxSettings, 'subscriptions'> };
  return settings.subscriptions.crmObjects.flatMap(({ objectType, propertyName }) =>
    objectType === type && propertyName !== undefined ? [propertyName] : [],
  );
}

describe('the stand-in HubSpot of a laptop', () => {
  it("reports changes of the properties that the policy's rules read", async () => {
    const keep = async () => undefined;
    const vendors = await standInVendors(
      {},
      { clock: systemClock, webhookUrl: 'http://127.0.0.1:9/hubspot', policy: POLICY, keep },
    );
    onTestFinished(vendors.close);
    const state = vendors.sandbox?.hubSpot.state();
    expect(watched(state, 'contact')).toContain('lifecyclestage');
    expect(watched(state, 'company')).not.toContain('lifecyclestage');
  });

  it('does so in its month of virtual time too', async () => {
    const world = await openWorld({
      ...{ policy: POLICY, seed: 1, startMs: 0, installedAtMs: 0, creditBalance: 10 },
      observer: { ended: () => undefined, repeated: () => undefined },
      write: () => undefined,
    });
    expect(watched(world.hubSpot.state(), 'contact')).toContain('lifecyclestage');
  });
});
