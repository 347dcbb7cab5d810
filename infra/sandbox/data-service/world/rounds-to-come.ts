import { createHash } from 'node:crypto';
import { DAY_MS } from '../../../../shared/kernel/clock.ts';
import { seededRandom } from '../../../../shared/kernel/random.ts';
import { isoDay, WORLD_ANCHOR_MS } from './dates.ts';
import type { Company } from './types.ts';

const DAYS_A_YEAR = 365.25;

/**
 * A company with the rounds that it has had since the world was written down: always the same ones for the same company
 * and rate, on days at random, so many a year on the average.
 */
export function withRoundsSince(
  company: Company,
  { roundsAYear, nowMs }: { readonly roundsAYear: number; readonly nowMs: number },
): Company {
  if (roundsAYear === 0) return company;
  const random = seededRandom(createHash('sha256').update(company.id).digest().readUInt32BE());
  const gapMs = () => (-Math.log(1 - random()) / roundsAYear) * DAYS_A_YEAR * DAY_MS;
  const later: Company['funding'][number][] = [];
  for (let atMs = WORLD_ANCHOR_MS + gapMs(); atMs <= nowMs; atMs += gapMs()) {
    const amount = 500_000 * (1 + Math.floor(random() * 40));
    later.push({ type: 'Series B', amount, date: isoDay(atMs), investors: ['Later Capital'] });
  }
  return { ...company, funding: [...company.funding, ...later] };
}
