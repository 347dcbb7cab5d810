import { describe, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { questionKey, resolveDoubt } from '#shared/questions';
import { digest, FOUND, LOST, NOON, openGateway, profile, type Wish } from './asking.ts';

/** A worker whose wall clock jumps once its question is in flight. */
function openJumping(jumpMs: number) {
  let aheadMs = 0;
  return openGateway({
    wall: (nowMs) => nowMs + aheadMs,
    onWrite: ({ attempt }) => {
      if (attempt?.state === 'in-flight') aheadMs = jumpMs;
    },
  });
}

describe('a machine whose clock is wrong', () => {
  it.each([
    [120 * SECOND_MS, NOON - MINUTE_MS],
    [-6 * SECOND_MS, NOON + MINUTE_MS + 6 * SECOND_MS],
  ])('by %i ms spends nothing, writes nothing and says so', async (offsetMs, untilMs) => {
    const { ask, calls, ops, kinds } = openGateway({ referenceClock: { offsetMs: () => offsetMs } });
    const result = await ask(profile());
    const params = { aheadMs: offsetMs };
    expect(result).toMatchObject({ kind: 'waiting', reason: 'clock-wrong', untilMs, params });
    expect([calls, ops.writes, await kinds()]).toEqual([[], [], []]);
  });

  it('by five seconds is believed', async () => {
    const { ask } = openGateway({ referenceClock: { offsetMs: () => 5 * SECOND_MS } });
    expect(await ask(profile())).toMatchObject({ kind: 'found' });
  });

  it('serves what is known already', async () => {
    const { ask, worker } = openGateway();
    await ask(profile());
    const wrong = worker('wrong', { referenceClock: { offsetMs: () => MINUTE_MS } });
    expect(await wrong.ask(profile())).toMatchObject({ kind: 'found', credits: 0 });
  });

  it('between the mark and the request sends nothing, though the monotonic clock stood still meanwhile', async () => {
    for (const jumpMs of [6 * SECOND_MS, -6 * SECOND_MS]) {
      const { ask, calls, kinds } = openJumping(jumpMs);
      expect(await ask(profile())).toMatchObject({ kind: 'waiting', reason: 'service-unreachable' });
      expect([calls, await kinds()]).toEqual([[], ['pending 1', 'voided 1']]);
    }
  });
});

/** A day ahead, and the store says so. */
const AHEAD: Wish = { wall: (nowMs) => nowMs + DAY_MS, referenceClock: { offsetMs: () => DAY_MS } };
const RIGHT: Wish = { wall: (nowMs) => nowMs, referenceClock: { offsetMs: () => 0 } };

describe('the budget of a day', () => {
  const budgets = { perDay: 5 };
  const askTen = async (ask: ReturnType<typeof openGateway>['ask']) => {
    const kinds: string[] = [];
    for (let index = 1; index <= 10; index += 1) kinds.push((await ask(profile([], index))).kind);
    return kinds;
  };

  it('stays shut when a doubt is resolved on a machine that is a day ahead: it refuses, and says why', async () => {
    const opened = openGateway({ budgets, answers: [LOST, FOUND], ...RIGHT });
    await opened.ask(profile());
    await opened.clock.sleep(10 * MINUTE_MS);
    const { services } = opened.worker('person', AHEAD);
    const resolution = { questionKey: questionKey(profile(), digest), charged: true, note: 'on the bill' };
    const resolved = resolveDoubt(services, resolution, { graceMs: 0 });
    await expect(resolved).rejects.toMatchObject({
      code: 'CLOCK_WRONG',
    });
    expect((await opened.item(profile()))?.attempt?.state).toBe('in-doubt');
    expect(await askTen(opened.ask)).toEqual([...Array(4).fill('found'), ...Array(6).fill('waiting')]);
    expect(opened.calls).toHaveLength(5);
  });

  it.each([
    ['found', FOUND],
    ['lost', LOST],
  ] as const)('stays shut when the clock of a worker steps during its call: %s', async (_, answer) => {
    let aheadMs = 0;
    const referenceClock = { offsetMs: () => aheadMs };
    const opened = openGateway({
      budgets,
      answers: [answer, FOUND],
      wall: (nowMs) => nowMs + aheadMs,
      referenceClock,
      onWrite: ({ attempt }) => {
        if (attempt?.state === 'in-flight') void opened.clock.sleep(SECOND_MS).then(() => (aheadMs = DAY_MS));
      },
    });
    await opened.ask(profile());
    expect(aheadMs).toBe(DAY_MS);
    for (const { atMs } of await opened.log()) expect(atMs).toBeLessThan(NOON + MINUTE_MS);
    await askTen(opened.worker('right', RIGHT).ask);
    expect(opened.calls).toHaveLength(5);
  });

  it('stays shut when the clock steps before the reservation: it is booked on the real day', async () => {
    let aheadMs = 0;
    const opened = openGateway({
      budgets,
      wall: (nowMs) => nowMs + aheadMs,
      referenceClock: { offsetMs: () => aheadMs },
    });
    const { rateLimiter } = opened.services;
    const acquire = rateLimiter.acquire.bind(rateLimiter);
    Object.assign(rateLimiter, {
      acquire: async (request: Parameters<typeof acquire>[0]) => {
        const slot = await acquire(request);
        aheadMs = DAY_MS;
        return slot;
      },
    });
    await opened.ask(profile());
    expect(await opened.kinds()).toContain('pending 1');
    for (const { atMs } of await opened.log()) expect(atMs).toBeLessThan(NOON + MINUTE_MS);
  });
});
