import { describe, expect, it } from 'vitest';
import { rateReportOf } from '#inside/vendor/data-service/vendor-client.ts';
import { CLOCK_TOLERANCE_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { openVendor } from '#shared/vendor/adapters';
import { createManualClock } from '../../../harness/manual-clock.ts';

const NOW_MS = 1_780_000_000_000;

interface ReportWish {
  readonly tookMs?: number;
  readonly resetMs?: number;
  readonly isDelta?: true;
}

function report(
  serverDateMs: number | undefined,
  { tookMs = 0, resetMs = 30_000, ...more }: ReportWish = {},
) {
  const rate = { limit: 20, remaining: 7, resetAtMs: NOW_MS + resetMs, ...more };
  const clock = { now: () => NOW_MS, monotonic: () => tookMs };
  return rateReportOf({ ...rate, ...(serverDateMs !== undefined && { serverDateMs }) }, { clock, sentAt: 0 });
}

describe('the report of the vendor’s rate headers', () => {
  it('measures the reset on the vendor’s clock, where that agrees with ours', () => {
    expect(report(NOW_MS - 4_000)).toMatchObject({ resetInMs: 34_000, dated: true });
    expect(report(NOW_MS - 9_000, { tookMs: 5_000 })).toMatchObject({ resetInMs: 39_000, dated: true });
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

  it('proves a window by a reset within a minute and the tolerance of the clocks', () => {
    const farthestMs = MINUTE_MS + CLOCK_TOLERANCE_MS;
    expect(report(NOW_MS, { resetMs: farthestMs })).toMatchObject({ resetInMs: MINUTE_MS, dated: true });
    expect(report(NOW_MS, { resetMs: farthestMs + 1 })).toMatchObject({ resetInMs: MINUTE_MS, dated: false });
  });

  it.each([0, -5_000])(
    'counts a whole minute for a reset %i ms after the answer, and proves nothing by it',
    (resetMs) => {
      expect(report(NOW_MS, { resetMs })).toMatchObject({ resetInMs: MINUTE_MS, dated: false });
    },
  );

  it('proves nothing by a distance in place of a time', () => {
    expect(report(NOW_MS, { isDelta: true })).toMatchObject({ resetInMs: 30_000, dated: false });
  });
});

it.each([500, 502, 503])(
  'a %i may have been charged and counted: it is never taken for not sent',
  async (status) => {
    const clock = createManualClock({ startMs: NOW_MS, autoAdvance: true });
    const send = async () => ({ status, headers: { 'retry-after': '9' }, body: '', receivedAtMs: NOW_MS });
    const vendor = openVendor({
      baseUrl: 'https://service.example',
      apiKey: 'key',
      timeoutMs: 1_000,
      send,
      clock,
      random: () => 0,
    });
    const by = { email: 'somebody@people.example' };
    const question = { operation: 'reverseEmail', by, options: [] } as const;
    const result = await vendor.ask(question, { timeoutMs: 1_000 });
    expect(result.kind).toBe('unknown');
  },
);
