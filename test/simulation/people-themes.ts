import { MINUTE_MS, SECOND_MS } from '#shared/kernel/clock.ts';
import type { Wanted } from '../builders/forms.ts';
import type { FusePlan } from '../builders/fuse.ts';
import type { Draw } from './draw.ts';
import { type Act, type Plan, QUIET, QUIET_ROUND, type Round } from './plan.ts';

/** What people do at the very records that are worked on: for each theme some, and little else. */
const PLAIN = {
  ...{ workers: 2, perDay: 1_000, purpose: undefined, companies: 0, refresh: QUIET, rateLimitPerMinute: 90 },
} as const;

const RECORDS = 8;

function contacts(draw: Draw, forms: readonly Wanted['form'][] = ['url', 'email']): readonly Wanted[] {
  return Array.from({ length: RECORDS }, (_, who) => ({ form: draw.oneOf(forms), who }));
}

/** HubSpot processes writes after their answers were given up, people type meanwhile, and workers die of it. */
export function late(plan: Plan, draw: Draw): Plan {
  const act = (): Act => ({
    kind: draw.oneOf(['edit', 'edit', 'edit', 'clear', 'request']),
    record: draw.below(RECORDS),
    property: draw.below(4),
    afterMs: 3 * SECOND_MS + draw.below(draw.oneOf([10, 40]) * SECOND_MS),
  });
  const strike = (): FusePlan => ({
    ...{ at: draw.below(8) + 1, among: 'hubspot', kind: 'death' },
    effect: draw.oneOf(['none', 'done']),
  });
  const round: Round = {
    ...QUIET_ROUND,
    created: contacts(draw, ['url', 'email', 'name']),
    acts: draw.many(16, act),
    strikes: draw.many(draw.below(3), strike),
    lateMs: draw.oneOf([5, 25]) * SECOND_MS,
    isRuled: draw.sometimes(0.2),
  };
  return { ...plan, ...PLAIN, rounds: [round] };
}

/** People name another employer while we ask, take back what was written, and everything is refreshed. */
export function undone(plan: Plan, draw: Draw): Plan {
  const acts = Array.from({ length: RECORDS }, (_, record): Act[] => [
    { kind: 'undo', record, property: 0, afterMs: draw.below(20) * SECOND_MS },
    {
      kind: draw.oneOf(['identity', 'employer', 'request']),
      ...{ record, property: record, afterMs: MINUTE_MS },
    },
  ]);
  const elsewhere = (): Act => ({
    ...{ kind: 'employer', record: draw.below(RECORDS), property: 0, afterMs: draw.below(3 * SECOND_MS) },
  });
  const rounds = [
    { ...QUIET_ROUND, created: contacts(draw), acts: draw.many(3, elsewhere) },
    { ...QUIET_ROUND, acts: acts.flat() },
  ];
  return { ...plan, ...PLAIN, freshDays: 2, rounds };
}

/** People opt out or are deleted for privacy, while and after they are asked about, and come again. */
export function erased(plan: Plan, draw: Draw): Plan {
  const created = contacts(draw);
  const act = (kind: Act['kind'], afterMs: number) => (): Act => ({
    ...{ kind, record: draw.below(RECORDS), property: 0, afterMs: draw.below(afterMs) },
  });
  const first = [
    ...draw.many(2, act('erase', 10 * SECOND_MS)),
    ...draw.many(3, act('opt-out', 6 * SECOND_MS)),
  ];
  const rounds = [
    { ...QUIET_ROUND, created, acts: first },
    { ...QUIET_ROUND, acts: draw.many(5, act('erase', MINUTE_MS)), lastsMs: 40 * MINUTE_MS },
    { ...QUIET_ROUND, created },
  ];
  return { ...plan, ...PLAIN, rounds };
}
