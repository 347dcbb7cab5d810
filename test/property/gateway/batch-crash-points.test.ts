import { describe, expect, it } from 'vitest';
import type { BatchAccident } from './batch-crash.ts';
import { strikeBatches } from './strike.ts';
import type { Reply } from './vendor.ts';

/** What the vendor says to the first request, of so many strikes one, and who else is there. */
const SITUATIONS: readonly [Reply, every: number, ...BatchAccident['company'][]][] = [
  ['found', 1, 'others'],
  ['found', 5, 'nobody', 'overlapping-batch'],
  ['lost-charged', 5, 'nobody', 'others', 'overlapping-batch'],
  ['no-match', 5, 'others'],
  ['lost-free', 5, 'others'],
  ['not-sent', 5, 'overlapping-batch'],
  ['rate-limited', 5, 'others'],
  ['out-of-credits', 5, 'others'],
  ['bad-request', 5, 'overlapping-batch'],
];

describe('who asks about many companies at once, struck at every call', () => {
  for (const [reply, every, ...companies] of SITUATIONS) {
    it(`keeps the laws where the vendor says ${reply}, and there is ${companies}`, async () => {
      for (const company of companies) {
        const { struck, problems } = await strikeBatches({ reply, company, every });
        expect(struck.size).toBeGreaterThan(20 / every);
        expect(problems.slice(0, 12)).toEqual([]);
      }
    });
  }
});
