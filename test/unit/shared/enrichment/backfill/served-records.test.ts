import { expect, it } from 'vitest';
import { drawerOfServedShare } from '#inside/enrichment/backfill/served-records.ts';
import { stratum } from './strata.ts';

const drawn = (seen: Parameters<typeof drawerOfServedShare>[0]) => {
  const draw = drawerOfServedShare(seen);
  return Array.from({ length: 100 }, (_, index) => draw(() => (index + 0.5) / 100));
};

it('expects that answers to other questions serve at most two of five records, and mostly few', () => {
  const shares = drawn([]);
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...shares)).toBeLessThanOrEqual(0.4);
  expect(shares.filter((share) => share < 0.1).length).toBeGreaterThan(50);
});

it('expects more after many records were served, and less after none was', () => {
  const highest = (servedHits: number) =>
    Math.max(...drawn([{ stratum: stratum({ records: 200, hits: 100, servedHits }), rest: 100 }]));
  const lowest = (servedHits: number) =>
    Math.min(...drawn([{ stratum: stratum({ records: 200, hits: 100, servedHits }), rest: 100 }]));
  expect(highest(0)).toBeLessThan(lowest(20));
});
