import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { Wanted } from '../../harness/forms.ts';
import type { FusePlan } from '../../harness/fuse.ts';
import type { Draw } from './draw.ts';
import { type Act, type Fault, type Plan, QUIET, QUIET_ROUND, type Round, UNTROUBLED } from './plan.ts';

/** Default faults of these themes; each theme adds its own. */
const PLAIN = { ...UNTROUBLED, workers: 4, rateLimitPerMinute: 90 } as const;

function contacts(draw: Draw, count: number): readonly Wanted[] {
  return Array.from({ length: count }, (_, who) => ({ form: draw.oneOf(['url', 'url', 'email']), who }));
}

/** Only the vendor knows the price of these requests. */
const CHARGED_AND_LOST: readonly Fault[] = [
  { kind: 'reset-after', rate: 0.3 },
  { kind: 'status', status: 500, afterWork: true, rate: 0.3 },
];

/** Small budgets that several workers and many doubts use up quickly, around midnight. */
export function tight(plan: Plan, draw: Draw): Plan {
  const faults = draw.oneOf([[], ...CHARGED_AND_LOST.map((fault) => [fault])]);
  const round = (): Round => ({
    ...QUIET_ROUND,
    created: contacts(draw, 12),
    serviceFaults: faults,
  });
  return {
    ...plan,
    ...PLAIN,
    perDay: draw.oneOf([5, 7, 9, 11]),
    purpose: draw.sometimes(0.3) ? { name: 'live', perDay: 4 } : undefined,
    rateLimitPerMinute: draw.oneOf([3, 90]),
    timeZone: 'UTC',
    rounds: [round(), { ...QUIET_ROUND, isOff: true, lastsMs: 11 * HOUR_MS + 38 * MINUTE_MS }, round()],
  };
}

/**
 * Many concurrent records of few people. Answers of the store are lost, and workers pause beside their marks. Some
 * people have one record with an address and another with a phone.
 */
export function raced(plan: Plan, draw: Draw): Plan {
  const pause = (at: number): FusePlan => ({
    at,
    among: 'marks',
    effect: draw.oneOf(['none', 'done']),
    kind: 'pause',
    forMs: draw.oneOf([10, 70]) * SECOND_MS,
  });
  const round = (strikes: readonly FusePlan[], half: Wanted['form']): Round => ({
    ...QUIET_ROUND,
    strikes,
    lostAnswers: 0.9,
    created: [
      ...[0, 1].map((who): Wanted => ({ form: half, who })),
      ...draw.many(
        10,
        (): Wanted => ({ form: draw.oneOf(['url', 'name', 'phone']), who: 2 + draw.below(3) }),
      ),
    ],
  });
  const rounds = [
    round([], 'url-and-email'),
    round([1, 1, 2].map(pause), 'url-and-phone'),
    round([], 'url-and-other-email'),
  ];
  return { ...plan, ...PLAIN, freshDays: 90, wantPhone: true, rounds };
}

/**
 * Spending stops for a while. Some workers find out, others wait for the rate meanwhile, and many wait for the next
 * retry.
 */
export function stopped(plan: Plan, draw: Draw): Plan {
  const lost = draw.oneOf<Fault>([
    { kind: 'reset-after', rate: 1 },
    { kind: 'status', rate: 1, status: 500, afterWork: true },
  ]);
  let people = 0;
  const round = (count: number, lastsMs: number, serviceFaults: readonly Fault[] = []): Round => ({
    ...QUIET_ROUND,
    lastsMs,
    serviceFaults,
    created: Array.from({ length: count }, () => ({ form: 'url', who: people++ })),
  });
  const refused: Fault = { kind: 'status', rate: 1, status: 401 };
  const rounds = [
    round(3, 35 * SECOND_MS),
    round(12, 5 * MINUTE_MS, [lost]),
    round(12, 40 * MINUTE_MS, [lost]),
    round(0, 30 * MINUTE_MS),
    round(3, 35 * SECOND_MS),
    round(12, 20 * MINUTE_MS, [refused]),
  ];
  return { ...plan, ...PLAIN, rateLimitPerMinute: draw.oneOf([6, 8]), rounds };
}

/**
 * Workers sleep until others count their requests as doubts. People have resolved the first doubts by then. When the
 * workers return, the log accepts entries but does not confirm them.
 */
export function asleep(plan: Plan, draw: Draw): Plan {
  const strike = {
    at: 1,
    among: 'data-service',
    effect: 'done',
    kind: 'sleep',
    forMs: 22 * MINUTE_MS,
  } as const;
  const round = (from: number): Round => ({
    ...QUIET_ROUND,
    strikes: [strike, strike, strike, strike],
    lastsMs: 20 * MINUTE_MS,
    created: Array.from({ length: 8 }, (_, index) => ({
      form: draw.oneOf(['unknown', 'unknown', 'unknown', 'url']),
      who: from + index,
    })),
  });
  const rounds: Round[] = [
    { ...round(0), acts: [{ kind: 'resolve', record: 0, property: 0, afterMs: 14 * MINUTE_MS }] },
    { ...QUIET_ROUND, storeFaults: [{ kind: 'timeout', rate: 1, times: 4, among: 'entries' }] },
    round(8),
    QUIET_ROUND,
  ];
  // Most of these identify no person, and cost nothing.
  const believed = [true, true, true, true, false];
  return { ...plan, ...PLAIN, freshDays: 2, noMatchCost: 'none', believed, rounds };
}

/**
 * Workers crash after an answer is stored, and none runs for days: answers become stale, or items expire. Later, people
 * agree to prices for little data.
 */
export function off(plan: Plan, draw: Draw): Plan {
  const created = contacts(draw, 6);
  const death = { effect: 'done', kind: 'death' } as const;
  const marked = { ...death, at: 2, among: 'marks' } as const;
  const idle = (days: number): Round => ({ ...QUIET_ROUND, isOff: true, lastsMs: days * DAY_MS });
  const agree = (_: Wanted, record: number): Act => ({
    kind: 'agree',
    record,
    property: draw.below(2),
    afterMs: draw.below(MINUTE_MS),
  });
  const first: Round = {
    ...QUIET_ROUND,
    created,
    lastsMs: SECOND_MS,
    strikes: [marked, marked, marked],
    sweepStrike: { ...death, at: 1 },
  };
  const again = { ...QUIET_ROUND, created };
  // Both cases occur among forty seeds.
  const isLong = Math.floor(plan.seed / 20) % 2 === 1;
  const rounds = [first, idle(isLong ? 12 : 3), again, idle(3), { ...QUIET_ROUND, acts: created.map(agree) }];
  return { ...plan, ...PLAIN, freshDays: 2, rounds };
}

/** Companies are refreshed, the worker crashes during a lookup, and people request some of them meanwhile. */
export function renewed(plan: Plan, draw: Draw): Plan {
  const death: FusePlan = { at: draw.below(2) + 1, among: 'data-service', effect: 'done', kind: 'death' };
  return {
    ...plan,
    ...PLAIN,
    rounds: [],
    rateLimitPerMinute: 20,
    freshDays: 2,
    companies: 14,
    hurried: 6,
    refresh: { ...QUIET, strikes: [death] },
  };
}
