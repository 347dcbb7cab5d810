import { describe, expect, it } from 'vitest';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel/clock.ts';
import { reportOf } from '#shared/questions/paid-calls.data-service.ts';

const NOW_MS = 1_780_000_000_000;

function report(serverDateMs: number | undefined, { tookMs = 0 } = {}) {
  const rate = { limit: 20, remaining: 7, resetAtMs: NOW_MS + 30_000 };
  const clock = { now: () => NOW_MS, monotonic: () => tookMs };
  return reportOf({ ...rate, ...(serverDateMs !== undefined && { serverDateMs }) }, { clock, sentAt: 0 });
}

describe('the report of the vendor’s rate headers', () => {
  it('measures the reset on the vendor’s clock, where that agrees with ours', () => {
    expect(report(NOW_MS - 4_000)).toMatchObject({ resetInMs: 34_000, dated: true });
    expect(report(NOW_MS - 9_000, { tookMs: 5_000 })).toMatchObject({ resetInMs: 39_000, dated: true });
  });

  it('measures it on ours where the vendor tells no time, and proves nothing by it', () => {
    expect(report(undefined)).toMatchObject({ resetInMs: 30_000, dated: false });
  });

  it.each([20 * SECOND_MS, -20 * SECOND_MS])('never widens where the two disagree by %i ms', (apartMs) => {
    expect(report(NOW_MS + apartMs)).toEqual({
      limit: 20,
      remaining: 7,
      resetAtMs: NOW_MS + 30_000,
      resetInMs: MINUTE_MS,
      dated: false,
    });
  });
});
