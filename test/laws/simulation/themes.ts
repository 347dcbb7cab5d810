import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { FORMS } from '../../harness/forms.ts';
import type { FusePlan } from '../../harness/fuse.ts';
import { backfilled } from './backfill-theme.ts';
import { asleep, off, raced, renewed, stopped, tight } from './books-themes.ts';
import type { Draw } from './draw.ts';
import { corrected, erased, late, sold, undone } from './people-themes.ts';
import { type Fault, type Plan, QUIET, QUIET_ROUND, type Round, UNTROUBLED } from './plan.ts';
import { belated, stalled } from './rate-themes.ts';

/** At most twenty, so that each occurs twice in the forty seeds of continuous integration. */
const THEMES: readonly (((plan: Plan, draw: Draw) => Plan) | undefined)[] = [
  undefined,
  crowd,
  companies,
  closed,
  corrected,
  masses,
  asleep,
  late,
  backfilled,
  undone,
  erased,
  belated,
  tight,
  raced,
  stopped,
  off,
  renewed,
  belated,
  stalled,
  sold,
];

/** Gives most plans one theme, in turns. With fewer faults, fewer failures are excused. */
export function themed(plan: Plan, draw: Draw): Plan {
  return THEMES[plan.seed % THEMES.length]?.(plan, draw) ?? plan;
}

/** Above 60 a minute, slots are granted in groups. */
const MANY = 61;

/** Many concurrent lookups at a small rate. */
function crowd(plan: Plan, draw: Draw): Plan {
  const rateLimitPerMinute = draw.oneOf([3, 3, 4, 6, MANY]);
  const round = (): Round => ({
    ...QUIET_ROUND,
    created:
      rateLimitPerMinute === MANY
        ? Array.from({ length: MANY + 14 }, (_, who) => ({ form: 'url', who }))
        : draw.many(14, () => ({ form: draw.oneOf(FORMS), who: draw.below(8) })),
    isImport: draw.sometimes(0.2),
    serviceFaults: draw.oneOf<readonly Fault[]>([
      [],
      [{ kind: 'reset-after', rate: 0.2 }],
      [{ kind: 'hang', rate: 0.2 }],
      [{ kind: 'slow', rate: 0.3, latencyMs: 40 * SECOND_MS }],
      [{ kind: 'headers-missing', rate: 0.3 }],
      [{ kind: 'status', status: 429, rate: 0.1 }],
    ]),
    strikes: draw.oneOf<readonly FusePlan[]>([
      [],
      [],
      [1, 2, 3].map((at) => ({ at, among: 'marks', effect: 'done', kind: 'pause', forMs: 2 * MINUTE_MS })),
    ]),
    lineMs: draw.oneOf([0, 0, 20 * SECOND_MS]),
    // The largest allowed difference.
    skewsMs: draw.oneOf([[], [], [SECOND_MS, -SECOND_MS]]),
  });
  return {
    ...plan,
    ...UNTROUBLED,
    workers: 3,
    rateLimitPerMinute,
    rounds: [round()],
  };
}

/** Companies are refreshed, and people request some of them meanwhile. */
function companies(plan: Plan, draw: Draw): Plan {
  return {
    ...plan,
    ...UNTROUBLED,
    companies: 14,
    freshDays: 2,
    rateLimitPerMinute: 20,
    hurried: draw.oneOf([0, 6]),
    rounds: plan.rounds.slice(0, 1),
    refresh: draw.sometimes(0.5) ? QUIET : plan.refresh,
  };
}

const many = (count: number, from: number) =>
  Array.from({ length: count }, (_, index) => ({ form: 'url' as const, who: from + index }));

/** Leads use much of a day's budget, and an import arrives on the next day. */
function spared(plan: Plan): Plan {
  const rounds = [
    { ...QUIET_ROUND, created: many(2, 0), lastsMs: DAY_MS },
    { ...QUIET_ROUND, created: many(8, 2), isImport: true, lastsMs: HOUR_MS },
  ];
  return { ...plan, ...UNTROUBLED, freshDays: 90, wantPhone: false, perDay: 20, timeZone: 'UTC', rounds };
}

/** Two imports and then leads, at a small rate without faults; or with a small budget. */
function masses(plan: Plan, draw: Draw): Plan {
  if (plan.seed > 20) return spared(plan);
  const round = { ...QUIET_ROUND, lastsMs: 5 * MINUTE_MS };
  const acts = draw.many(8, () => ({
    kind: 'request' as const,
    record: draw.below(100),
    property: 0,
    afterMs: draw.below(MINUTE_MS),
  }));
  return {
    ...plan,
    ...UNTROUBLED,
    workers: 2,
    // One lookup of each record is enough.
    freshDays: 90,
    rateLimitPerMinute: draw.oneOf([1, 1, 3]),
    rounds: [
      { ...round, created: many(12, 0), isImport: true },
      { ...round, created: many(40, 12), isImport: true, lastsMs: 10 * MINUTE_MS, acts },
      { ...round, created: many(6, 52) },
    ],
  };
}

/** HubSpot refuses writes for a while, for various reasons, and new records arrive all the time. */
function closed(plan: Plan, draw: Draw): Plan {
  const round: Round = {
    ...QUIET_ROUND,
    isSteady: true,
    created: draw.many(24, () => ({ form: draw.oneOf(FORMS), who: draw.below(12) })),
    portalFaults: [{ kind: 'status', status: 403, rate: 1, path: 'batch/update' }],
    lastsMs: 120 * MINUTE_MS,
  };
  const people = draw.many(8, () => ({ form: 'url' as const, who: 12 + draw.below(20) }));
  const refused = { kind: 'status', status: 400, rate: 1, path: 'batch/update' } as const;
  const invalid: Round = { ...round, created: people, portalFaults: [refused] };
  return { ...plan, ...UNTROUBLED, rateLimitPerMinute: 20, rounds: [round, invalid] };
}
