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
