import { expect, it } from 'vitest';
import { liveThroughYear } from './year/year.ts';

it.each([11, 12])(
  'keeps its promises to people through 200 days, seed %i',
  { timeout: 120_000 },
  async (seed) => {
    const { faults, happened } = await liveThroughYear({ seed, days: 200 });
    expect(faults).toEqual([]);
    for (const what of ['created', 'edits', 'expired', 'recalled', 'values seen', 'values exported'])
      expect([what, (happened[what] ?? 0) > 0]).toEqual([what, true]);
  },
);
