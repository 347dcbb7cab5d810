import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { Wanted } from '../../harness/forms.ts';
import type { FusePlan } from '../../harness/fuse.ts';
import type { Draw } from './draw.ts';
import { type Act, type Plan, QUIET_ROUND, type Round, UNTROUBLED } from './plan.ts';

const PLAIN = { ...UNTROUBLED, workers: 2, freshDays: 90, agedMs: DAY_MS } as const;

const CONTACTS = 16;
const COMPANIES = 5;
/** The sweep runs every five minutes, and admits members. */
const SWEEP_MS = 5 * MINUTE_MS;

/**
 * Backfills records from before the installation, while people edit and request some of them. People pause, resume and
 * stop backfills, accept proposals, undo values, and start again. Workers, sweeps and commands are cut off at any call.
 */
export function backfilled(plan: Plan, draw: Draw): Plan {
  const people = Array.from(
    { length: CONTACTS },
    (_, who): Wanted => ({ form: draw.oneOf(['url', 'email', 'name', 'unknown']), who }),
  );
  const companies = Array.from({ length: COMPANIES }, (_, who): Wanted => ({ form: 'company', who }));
  const old = { ...QUIET_ROUND, created: [...people, ...companies], lastsMs: DAY_MS + HOUR_MS };
  const again: Round = {
    ...QUIET_ROUND,
    acts: [...begin(), act('accept', 30 * MINUTE_MS)],
    lastsMs: HOUR_MS,
  };
  return {
    ...plan,
    ...PLAIN,
    isShadowed: Math.floor(plan.seed / 20) % 2 === 1,
    rateLimitPerMinute: draw.oneOf([2, 4, 20]),
    rounds: [old, underWay(draw), cancelled(draw), again],
  };
}

function act(kind: Act['kind'], afterMs: number, which: { record?: number; property?: number } = {}): Act {
  return { kind, record: 0, property: 0, ...which, afterMs };
}

/** Starts a backfill of contacts, and one of companies. */
function begin(): readonly Act[] {
  return [act('backfill', 0), act('backfill', SECOND_MS, { property: 1 })];
}

function underWay(draw: Draw): Round {
  const busyMs = () => SWEEP_MS + draw.below(draw.oneOf([10 * SECOND_MS, 4 * MINUTE_MS]));
  const pauses = [0, 1, 0].flatMap((property, time) => {
    const fromMs = time * 15 * MINUTE_MS;
    return [
      act('pause', fromMs + MINUTE_MS, { property, record: 1 + draw.below(3) }),
      act('resume', fromMs + draw.oneOf([6, 9, 14]) * MINUTE_MS, { property }),
    ];
  });
  const people = draw.many(6, () =>
    act(draw.oneOf(['edit', 'clear', 'request', 'opt-out']), busyMs(), {
      record: draw.below(CONTACTS + COMPANIES),
      property: draw.below(4),
    }),
  );
  // A question by profile can cost more than the quoted question.
  const dearer = [0, 1, 2, 3, 4, 5].map((who) =>
    act('identity', 30 * SECOND_MS + draw.below(4 * MINUTE_MS), { record: who, property: who }),
  );
  return {
    ...QUIET_ROUND,
    acts: [...begin(), ...pauses, ...people, ...dearer],
    strikes: draw.many(3, () => strike(draw, 40)),
    sweepStrike: draw.sometimes(0.3) ? strike(draw, 60) : undefined,
    commandStrikes: draw.many(draw.below(7), () => strike(draw, 20)),
    lastsMs: draw.oneOf([16, 40]) * MINUTE_MS,
  };
}

/** Stops one backfill, if it is still running. */
function cancelled(draw: Draw): Round {
  const stopped = draw.oneOf([0, 0, 1]);
  return {
    ...QUIET_ROUND,
    acts: [
      act('stop', 0, { property: stopped, record: 1 + draw.below(3) }),
      act('accept', 20 * MINUTE_MS),
      act('undo-backfill', 25 * MINUTE_MS, { property: draw.below(2) }),
    ],
    strikes: draw.many(2, () => strike(draw, 40)),
    commandStrikes: draw.many(4, () => strike(draw, 60)),
    lastsMs: HOUR_MS,
  };
}

function strike(draw: Draw, calls: number): FusePlan {
  const at = draw.below(calls) + 1;
  if (draw.sometimes(0.3)) return { at, effect: 'done', kind: 'pause', forMs: 2 * MINUTE_MS };
  return { at, effect: draw.oneOf(['none', 'done'] as const), kind: 'death' };
}
