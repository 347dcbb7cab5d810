import { describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel/clock.ts';
import { NOON, openGateway, profile, type Wish } from './asking.ts';

/** A worker whose wall clock jumps once its question is reserved or in flight. */
function openJumping(jumpMs: number, when: 'reserved' | 'in-flight', tellsTime = true) {
  let aheadMs = 0;
  const told: Wish = tellsTime ? { storeClock: { offsetMs: () => aheadMs } } : {};
  return openGateway({
    wall: (nowMs) => nowMs + aheadMs,
    onWrite: ({ attempt }) => {
      if (attempt?.state === when) aheadMs = jumpMs;
    },
    onAppend: ({ kind }) => {
      if (when === 'reserved' && kind === 'pending') aheadMs = jumpMs;
    },
    ...told,
  });
}

describe('a machine whose clock is not the store’s', () => {
  it.each([
    [120 * SECOND_MS, '120 s ahead of the store', NOON - MINUTE_MS],
    [-6 * SECOND_MS, '6 s behind the store', NOON + MINUTE_MS + 6 * SECOND_MS],
  ])('by %i ms spends nothing, writes nothing and says so', async (offsetMs, words, untilMs) => {
    const { ask, calls, ops, kinds } = openGateway({ storeClock: { offsetMs: () => offsetMs } });
    const result = await ask(profile());
    expect(result).toMatchObject({ kind: 'waiting', reason: 'clock-wrong', untilMs });
    expect(result.kind === 'waiting' && result.detail).toContain(words);
    expect([calls, ops.writes, await kinds()]).toEqual([[], [], []]);
  });

  it('by five seconds is believed', async () => {
    const { ask } = openGateway({ storeClock: { offsetMs: () => 5 * SECOND_MS } });
    expect(await ask(profile())).toMatchObject({ kind: 'found' });
  });

  it('serves what is known already', async () => {
    const { ask, worker } = openGateway();
    await ask(profile());
    const wrong = worker('wrong', { storeClock: { offsetMs: () => MINUTE_MS } });
    expect(await wrong.ask(profile())).toMatchObject({ kind: 'found', credits: 0 });
  });

  it.each(['reserved', 'in-flight'] as const)(
    'when its question is %s gives it up, uncharged',
    async (when) => {
      const { ask, calls, kinds, stores, item } = openJumping(120 * SECOND_MS, when);
      expect(await ask(profile())).toMatchObject({ kind: 'waiting', reason: 'clock-wrong' });
      expect([calls, await kinds()]).toEqual([[], ['pending 1', 'voided 1']]);
      expect((await item(profile()))?.attempt?.state).not.toBe('in-flight');
      // A slot that was taken counts on from its deadline, on the clock that took it.
      const slots = (await stores.rateLimiter.read('rate-limiter#default'))?.value.slots ?? [];
      expect(slots.length).toBe(1);
    },
  );

  it('between the mark and the request sends nothing, though the monotonic clock stood still meanwhile', async () => {
    for (const jumpMs of [6 * SECOND_MS, -6 * SECOND_MS]) {
      const { ask, calls, kinds } = openJumping(jumpMs, 'in-flight', false);
      expect(await ask(profile())).toMatchObject({ kind: 'waiting', reason: 'service-unreachable' });
      expect([calls, await kinds()]).toEqual([[], ['pending 1', 'voided 1']]);
    }
  });
});
