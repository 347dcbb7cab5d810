import { describe, expect, it } from 'vitest';
import { createCaller, PEOPLE_PROFILE } from './caller.ts';

const NOBODY = { network_url: 'linkedin.com/in/nobody' };

describe('the books', () => {
  it('go on from a saved state, and are emptied by a reset', async () => {
    const first = createCaller({ settings: { creditBalance: 10 } });
    await first.get(PEOPLE_PROFILE, NOBODY);
    await first.settings({ latencyMs: 5 });
    const saved: unknown = JSON.parse(JSON.stringify(first.sandbox.state()));
    const second = createCaller({ saved, settings: { creditBalance: 10 } });
    expect(await second.bill()).toMatchObject({ creditsCharged: 1, creditBalance: 9, byStatus: { 404: 1 } });
    expect((await second.send('/_sandbox/settings')).body).toMatchObject({ latencyMs: 5, creditBalance: 9 });
    await second.send('/_sandbox/reset', { method: 'POST' });
    expect(await second.bill()).toMatchObject({ creditsCharged: 0, creditBalance: 10, requests: 0 });
    expect((await second.send('/_sandbox/settings')).body).toMatchObject({ latencyMs: 0 });
  });

  it('keep the newest 1,000 requests in the saved state, and take a state without them', async () => {
    const first = createCaller();
    for (let nth = 0; nth < 1_001; nth += 1) await first.get(PEOPLE_PROFILE, { ...NOBODY, nth: String(nth) });
    const { requests } = (await first.send('/_sandbox/requests')).body;
    const saved = JSON.parse(JSON.stringify(first.sandbox.state()));
    const second = createCaller({ saved });
    expect((await second.send('/_sandbox/requests')).body).toEqual({ requests: requests.slice(1) });
    await second.get(PEOPLE_PROFILE, NOBODY);
    expect((await second.send('/_sandbox/requests')).body.requests).toHaveLength(1_001);
    const { log: _, ...former } = saved;
    const third = createCaller({ saved: former });
    expect((await third.send('/_sandbox/requests')).body).toEqual({ requests: [] });
    expect(await third.bill()).toMatchObject({ requests: 1_001 });
  });

  it('are refused when they are something else', () => {
    expect(() => createCaller({ saved: { version: 1 } })).toThrow();
    expect(() => createCaller({ saved: { ...createCaller().sandbox.state(), log: {} } })).toThrow();
  });

  it('merge settings, and refuse unknown or impossible ones', async () => {
    const { settings } = createCaller();
    await settings({ rateLimitPerMinute: 7 });
    expect((await settings({ latencyMs: 1 })).body).toMatchObject({ rateLimitPerMinute: 7, latencyMs: 1 });
    for (const bad of [{ colour: 1 }, { noMatchCost: 'half' }, { creditBalance: -1 }, [], { faults: [{}] }]) {
      expect((await settings(bad)).status).toBe(400);
    }
  });
});
