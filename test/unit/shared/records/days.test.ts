import { expect, it } from 'vitest';
import { createDays } from '#inside/records/days.ts';
import { yieldsOf } from '#shared/records';
import { createMemoryItems } from '../../../harness/memory-items.ts';

it('keeps what workers and a sweep add to one day at the same time', async () => {
  const clock = { now: () => Date.UTC(2026, 10, 21, 12), sleep: async () => undefined };
  const days = createDays({ items: createMemoryItems(), clock, timeZone: 'UTC' });
  const filled = { purpose: 'live', kind: 'filled', runs: 1, fields: 4 } as const;
  await Promise.all([
    days.addYields([filled]),
    days.addStops([{ kind: 'key-refused', what: 'The key is refused.' }]),
    days.addYields([filled, { ...filled, source: 'user' }]),
  ]);
  const read = await days.read(['2026-11-21', '2026-11-22']);
  expect(read).toMatchObject([
    { day: '2026-11-21', stops: [{ kind: 'key-refused' }] },
    { day: '2026-11-22', yields: [], stops: [] },
  ]);
  expect(yieldsOf(read)).toEqual([
    { ...filled, runs: 2, fields: 8 },
    { ...filled, source: 'user' },
  ]);
});

it('keeps who has seen a stop, until the stop goes on', async () => {
  let nowMs = Date.UTC(2026, 10, 21, 12);
  const clock = { now: () => nowMs, sleep: async () => undefined };
  const days = createDays({ items: createMemoryItems(), clock, timeZone: 'UTC' });
  const stop = { kind: 'key-refused', what: 'The key is refused.', sinceMs: nowMs };
  const stored = async () => (await days.read(['2026-11-21']))[0]?.stops;
  await days.addStops([{ ...stop, leads: 4 }]);
  const shown = { day: '2026-11-21', kind: stop.kind, toMs: nowMs, by: 'user:7' };
  expect([await days.markSeen({ ...shown, kind: 'other' }), await days.markSeen(shown)]).toEqual([0, 1]);
  expect(await stored()).toMatchObject([{ leads: 4, seen: { by: 'user:7', atMs: nowMs } }]);
  expect(await days.markSeen({ ...shown, by: 'user:8' })).toBe(0);
  nowMs += 60_000;
  await days.addStops([{ ...stop, leads: 2 }]);
  expect(await stored()).toEqual([{ ...stop, fromMs: stop.sinceMs, toMs: nowMs, leads: 4 }]);
  expect(await days.markSeen(shown)).toBe(0);
});
