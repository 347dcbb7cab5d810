import { describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { NOON, openGateway, profile } from './asking.ts';

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

  it('between the mark and the request sends nothing, though the monotonic clock stood still meanwhile', async () => {
    for (const jumpMs of [6 * SECOND_MS, -6 * SECOND_MS]) {
      const { ask, calls, kinds } = openJumping(jumpMs);
      expect(await ask(profile())).toMatchObject({ kind: 'waiting', reason: 'service-unreachable' });
      expect([calls, await kinds()]).toEqual([[], ['pending 1', 'voided 1']]);
    }
  });
});
