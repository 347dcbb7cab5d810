import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { FusePlan } from '../../harness/fuse.ts';
import type { Draw } from './draw.ts';
import { type Fault, type Plan, QUIET_ROUND, type Round, UNTROUBLED } from './plan.ts';

/** New people every minute, more than the rate allows. The vendor answers at once, so no second is hidden. */
const PLAIN = { ...UNTROUBLED, workers: 4, latencyMs: 50, freshDays: 90 } as const;

const SLOW: Fault = { kind: 'slow', rate: 0.5, latencyMs: 20 * SECOND_MS };

function minutes(rounds: readonly Partial<Round>[], each: number): readonly Round[] {
  return rounds.map((round, minute) => ({
    ...QUIET_ROUND,
    created: Array.from({ length: each }, (_, index) => ({ form: 'url', who: minute * each + index })),
    lastsMs: 15 * SECOND_MS,
    ...round,
  }));
}

const QUIET_MINUTE = { created: [], lastsMs: MINUTE_MS } as const;
const quiet = (count: number) => Array<Partial<Round>>(count).fill(QUIET_MINUTE);

/** The vendor's rate headers come late, or not at all, or the stored rate is damaged. */
export function belated(plan: Plan, draw: Draw): Plan {
  const lost: Fault = { kind: 'reset-after', rate: 0.4 };
  const crowds: readonly Partial<Round>[] = [
    { serviceFaults: [SLOW] },
    { skewsMs: [SECOND_MS, -SECOND_MS] },
    { lineMs: 20 * SECOND_MS, serviceFaults: [lost] },
  ];
  const first = { rate: 1, times: 1 } as const;
  const slowFirst: Fault = { ...SLOW, ...first };
  const damage = { kind: 'damage', record: 0, property: 0, afterMs: 5 * SECOND_MS } as const;
  return {
    ...plan,
    ...PLAIN,
    // Of the first forty seeds, the first half uses one algorithm, the second half the other.
    rateAlgorithm: plan.seed > 20 ? 'sliding' : 'fixed',
    rateLimitPerMinute: draw.oneOf([4, 6]),
    rounds: minutes(
      [
        ...crowds.flatMap((crowd) => [crowd, crowd, crowd]),
        ...quiet(12),
        { serviceFaults: [slowFirst] },
        ...[{}, ...quiet(4)],
        { serviceFaults: [slowFirst, { kind: 'headers-missing', rate: 1 }] },
        ...[{}, ...quiet(4)],
        { serviceFaults: [{ kind: 'status', status: 429, ...first }] },
        ...[{}, {}, ...quiet(4)],
        ...[{}, { acts: [damage] }, {}, {}],
      ],
      5,
    ),
  };
}

function steady(count: number, from: number): Round {
  const created = Array.from({ length: count }, (_, index) => ({ form: 'url', who: from + index }) as const);
  return { ...QUIET_ROUND, created, isSteady: true, lastsMs: count * 7 * SECOND_MS };
}

/** Workers pause between taking a slot and using it, while others continue. */
export function stalled(plan: Plan): Plan {
  const pause = (among: 'marks' | 'books', effect: 'none' | 'done') => ({
    strikes: [1, 1].map((at): FusePlan => ({ at, among, effect, kind: 'pause', forMs: 100 * SECOND_MS })),
  });
  const rounds = [
    { ...steady(20, 0), ...pause('marks', 'done') },
    { ...steady(20, 20), ...pause('books', 'none') },
    { ...steady(20, 40), ...pause('books', 'done') },
  ];
  return { ...plan, ...PLAIN, rateAlgorithm: 'sliding', rateLimitPerMinute: 6, rounds };
}
