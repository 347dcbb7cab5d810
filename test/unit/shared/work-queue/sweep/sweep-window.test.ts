import { describe, expect, it } from 'vitest';
import { leased, released, takePlaces } from '#inside/work-queue/sweep/sweep-window.ts';
import { MINUTE_MS } from '#shared/kernel';
import type { SweepMinute } from '#shared/records';

const MINUTE = 1_000;
const NOW_MS = MINUTE * MINUTE_MS;
const wish = { cause: 'admitted', lane: 'live', count: 4, bound: 10 } as const;
const window = (minute: number, counts: SweepMinute['counts']): SweepMinute => ({ minute, counts });

describe('places of a minute', () => {
  it('are granted up to the bound, for each cause and lane alone', () => {
    const taken = window(MINUTE, { 'admitted-live': 8, 'admitted-bulk': 10, 'requeued-live': 10 });
    const places = takePlaces(taken, wish, NOW_MS);
    expect(places.granted).toBe(2);
    expect(places.sweep?.counts).toEqual({ ...taken.counts, 'admitted-live': 10 });
  });

  it('write nothing when none is left, even if the bound has become smaller', () => {
    const taken = window(MINUTE, { 'admitted-live': 8 });
    expect(takePlaces(taken, { ...wish, bound: 8 }, NOW_MS)).toEqual({
      granted: 0,
      untilMs: expect.any(Number),
    });
    expect(takePlaces(taken, { ...wish, bound: 5 }, NOW_MS)).toEqual({
      granted: 0,
      untilMs: expect.any(Number),
    });
  });

  it.each([
    ['end with their minute', MINUTE, 0, MINUTE + 1],
    ['end with their minute, to its last millisecond', MINUTE, MINUTE_MS - 1, MINUTE + 1],
    [
      'end a minute later for a clock that is behind the sweep that began the minute',
      MINUTE + 1,
      0,
      MINUTE + 2,
    ],
  ])('%s', (_, minute, afterMs, endMinute) => {
    const { untilMs } = takePlaces(window(minute, {}), wish, NOW_MS + afterMs);
    expect(untilMs).toBe(endMinute * MINUTE_MS);
  });

  it.each([
    ['the first minute', undefined, 4],
    ['the next minute', window(MINUTE - 1, { 'admitted-live': 10 }), 4],
    ['a minute that a wrong clock has set an hour ahead', window(MINUTE + 60, { 'admitted-live': 10 }), 4],
    ['a minute that a wrong clock has set two minutes ahead', window(MINUTE + 2, { 'admitted-live': 10 }), 4],
    ['the same minute', window(MINUTE, { 'admitted-live': 10 }), 0],
    ['the next minute, which another clock has begun', window(MINUTE + 1, { 'admitted-live': 10 }), 0],
  ])('are counted in %s', (_, known, granted) => {
    expect(takePlaces(known, wish, NOW_MS).granted).toBe(granted);
  });

  it('keep the lease', () => {
    const lease = { sweepId: 'a', untilMs: NOW_MS + 1 };
    expect(takePlaces({ ...window(MINUTE - 1, {}), lease }, wish, NOW_MS).sweep?.lease).toEqual(lease);
  });
});

describe('the lease of a sweep', () => {
  const mine = { sweepId: 'mine', untilMs: NOW_MS + 5 * MINUTE_MS };
  const heldUntil = (untilMs: number): SweepMinute => ({
    ...window(MINUTE, { 'admitted-live': 3 }),
    lease: { sweepId: 'other', untilMs },
  });

  it.each([
    ['no other sweep has it', window(MINUTE, { 'admitted-live': 3 })],
    ['the invocation of the other sweep is over', heldUntil(NOW_MS)],
    ['its end is later than any invocation on Lambda', heldUntil(NOW_MS + 15 * MINUTE_MS + 1)],
  ])('is given where %s, and keeps the counts', (_, known) => {
    expect(leased(known, mine, NOW_MS)).toEqual({ ...known, lease: mine });
  });

  it('is given to the first sweep of an installation', () => {
    expect(leased(undefined, mine, NOW_MS)).toEqual({ minute: MINUTE, counts: {}, lease: mine });
  });

  it.each([1, 15 * MINUTE_MS])('is not given while another sweep has %s milliseconds left', (leftMs) => {
    expect(leased(heldUntil(NOW_MS + leftMs), mine, NOW_MS)).toBeUndefined();
  });

  it('is released by its own sweep only', () => {
    const held = heldUntil(NOW_MS + 1);
    expect(released(held, 'other')).toEqual(window(MINUTE, { 'admitted-live': 3 }));
    expect(released(held, 'mine')).toBeUndefined();
    expect(released(undefined, 'mine')).toBeUndefined();
  });
});
