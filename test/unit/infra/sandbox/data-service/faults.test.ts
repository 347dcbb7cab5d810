import { describe, expect, it } from 'vitest';
import { AUTH, createCaller, PEOPLE_PROFILE, START_MS } from './caller.ts';

const NOBODY = { network_url: 'linkedin.com/in/nobody' };

describe('faults', () => {
  it('hang until the request is aborted, charged unless told otherwise', async () => {
    const { send, settings, bill } = createCaller();
    const path = `${PEOPLE_PROFILE}?${new URLSearchParams(NOBODY)}`;
    for (const [afterWork, charged] of [
      [true, 1],
      [false, 1],
    ]) {
      await settings({ faults: [{ kind: 'hang', afterWork }] });
      const gone = new AbortController();
      const hanging = send(path, { signal: gone.signal });
      const first = await Promise.race([hanging, new Promise((resolve) => setImmediate(resolve, 'waiting'))]);
      expect(first).toBe('waiting');
      gone.abort(new Error('enough'));
      await expect(hanging).rejects.toThrow('enough');
      expect((await bill()).creditsCharged).toBe(charged);
    }
  });

  it('cut the body, leave the headers out, or answer late', async () => {
    const { get, settings, clock } = createCaller();
    await settings({ faults: [{ kind: 'malformed' }] });
    expect(await get(AUTH)).toMatchObject({ status: 200, body: undefined });
    await settings({ faults: [{ kind: 'headers-missing' }] });
    const { headers } = await get(AUTH);
    expect([...headers.keys()]).toEqual(['content-type']);
    await settings({ latencyMs: 1_000, faults: [{ kind: 'slow', latencyMs: 4_000 }] });
    await get(AUTH);
    expect(clock.now() - START_MS).toBe(5_000);
  });

  it('strike the operation and as often as told, the same ones for the same seed', async () => {
    const run = async () => {
      const { get, settings } = createCaller();
      await settings({ faults: [{ kind: 'status', operation: 'check-api-key', rate: 0.5, times: 10 }] });
      const statuses: number[] = [];
      for (let count = 0; count < 40; count += 1) statuses.push((await get(AUTH)).status);
      expect((await get(PEOPLE_PROFILE, NOBODY)).status).toBe(404);
      return statuses;
    };
    const statuses = await run();
    expect(statuses.filter((status) => status === 500)).toHaveLength(10);
    expect(statuses.slice(0, 10)).toContain(200);
    expect(await run()).toEqual(statuses);
  });
});
