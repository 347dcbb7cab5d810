import { DAY_MS, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { Wanted } from '../../harness/forms.ts';
import type { FusePlan } from '../../harness/fuse.ts';
import type { Draw } from './draw.ts';
import { type Act, type Plan, QUIET_ROUND, type Round, UNTROUBLED } from './plan.ts';

/** Default faults of these themes; each theme adds people's own actions. */
const PLAIN = { ...UNTROUBLED, workers: 2, rateLimitPerMinute: 90 } as const;

const RECORDS = 8;

const SLEEP = { among: 'data-service', effect: 'done', kind: 'sleep', forMs: 20 * MINUTE_MS } as const;

function contacts(
  draw: Draw,
  forms: readonly Wanted['form'][] = ['url', 'email'],
  length = RECORDS,
): readonly Wanted[] {
  return Array.from({ length }, (_, who) => ({ form: draw.oneOf(forms), who }));
}

/** HubSpot processes writes after their timeout, people edit meanwhile, and workers crash. */
export function late(plan: Plan, draw: Draw): Plan {
  const act = (): Act => ({
    kind: draw.oneOf(['edit', 'edit', 'edit', 'clear', 'request']),
    record: draw.below(RECORDS),
    property: draw.below(4),
    afterMs: 3 * SECOND_MS + draw.below(draw.oneOf([10, 40]) * SECOND_MS),
  });
  const strike = (): FusePlan => ({
    at: draw.below(8) + 1,
    among: 'hubspot',
    kind: 'death',
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

const WRONG = ['url', 'email', 'url', 'email', 'page', 'page'] as const;

/** People name another employer during a lookup, undo writes, reject matches, and everything is refreshed. */
export function undone(plan: Plan, draw: Draw): Plan {
  const acts = Array.from({ length: RECORDS }, (_, record): Act[] => [
    { kind: 'undo', record, property: 0, afterMs: draw.below(20) * SECOND_MS },
    {
      kind: draw.oneOf(['identity', 'employer', 'request']),
      record,
      property: record,
      afterMs: MINUTE_MS,
    },
  ]);
  const wrong = Array.from({ length: WRONG.length }, (_, place): Act[] => {
    const on = { record: RECORDS + 4 + place, property: 1 };
    return [
      { kind: 'wrong-match', ...on, afterMs: 2 * MINUTE_MS },
      { kind: 'agree', ...on, afterMs: 4 * MINUTE_MS },
    ];
  });
  const elsewhere = (): Act => ({
    kind: 'employer',
    record: draw.below(RECORDS),
    property: 0,
    afterMs: draw.below(3 * SECOND_MS),
  });
  const another = (): Act => ({
    kind: 'identity',
    record: draw.below(RECORDS),
    property: draw.below(6),
    afterMs: draw.below(6 * SECOND_MS),
  });
  const emptied = (): Act => ({
    kind: 'clear',
    record: RECORDS + draw.below(4),
    property: draw.below(4),
    afterMs: 0,
  });
  const whoComes = [
    ...contacts(draw),
    ...contacts(draw)
      .slice(0, 4)
      .map((one) => ({ ...one, who: one.who + RECORDS })),
    ...WRONG.map((form, place) => ({ form, who: 2 * RECORDS + place })),
  ];
  const rounds = [
    { ...QUIET_ROUND, created: whoComes, acts: [...draw.many(3, elsewhere), ...draw.many(6, another)] },
    { ...QUIET_ROUND, acts: [...acts.flat(), ...wrong.flat(), ...draw.many(4, emptied)] },
  ];
  return { ...plan, ...PLAIN, freshDays: 2, rounds };
}

/** People correct addresses and domains of records, to values that the vendor knows or not, and add identifiers. */
export function corrected(plan: Plan, draw: Draw): Plan {
  const companies = Array.from({ length: 4 }, (_, who): Wanted => ({ form: 'company', who }));
  const created = [...contacts(draw, ['email', 'email', 'url']), ...companies];
  const acts = created.map(
    (_, record): Act => ({
      kind: 'correct',
      record,
      property: draw.below(5),
      afterMs: draw.below(draw.oneOf([SECOND_MS, 20 * SECOND_MS])),
    }),
  );
  const strikes = draw.many(
    draw.below(2),
    (): FusePlan => ({ at: draw.below(20) + 1, effect: 'done', kind: 'death' }),
  );
  const rounds = [
    { ...QUIET_ROUND, created },
    { ...QUIET_ROUND, acts, strikes },
    {
      ...QUIET_ROUND,
      acts: draw.many(4, () => ({ ...acts[draw.below(created.length)], property: draw.below(5) }) as Act),
    },
  ];
  return { ...plan, ...PLAIN, freshDays: draw.oneOf([2, 90]), wantPhone: false, rounds };
}

/**
 * People opt out or are deleted for privacy, during and after lookups, and return. Also while they wait for a
 * rate-limit slot, and while the answer travels to a sleeping worker.
 */
export function erased(plan: Plan, draw: Draw): Plan {
  const created = contacts(draw, ['url', 'email', 'name'], 2 * RECORDS);
  const act = (kind: Act['kind'], afterMs: number) => (): Act => ({
    kind,
    record: draw.below(2 * RECORDS),
    property: 0,
    afterMs: draw.below(afterMs),
  });
  const first = [
    ...draw.many(2, act('erase', 10 * SECOND_MS)),
    ...draw.many(3, act('opt-out', 6 * SECOND_MS)),
  ];
  const again = Array.from(
    { length: 2 * RECORDS },
    (_, record): Act => ({ kind: 'request', record, property: 0, afterMs: 0 }),
  );
  const rounds = [
    { ...QUIET_ROUND, created, acts: first },
    { ...QUIET_ROUND, acts: draw.many(5, act('erase', MINUTE_MS)), lastsMs: 40 * MINUTE_MS },
    { ...QUIET_ROUND, created },
    { ...QUIET_ROUND, lastsMs: 3 * DAY_MS },
    { ...QUIET_ROUND, acts: [...again, ...draw.many(8, act('erase', 40 * SECOND_MS))] },
    { ...QUIET_ROUND, created, lastsMs: 3 * DAY_MS },
    {
      ...QUIET_ROUND,
      strikes: [1, 2, 3].map((at): FusePlan => ({ ...SLEEP, at })),
      acts: [...again, ...draw.many(8, act('erase', 8 * MINUTE_MS))],
      lastsMs: 40 * MINUTE_MS,
    },
  ];
  return { ...plan, ...PLAIN, freshDays: 2, rateLimitPerMinute: 4, rounds };
}

/**
 * Some records already have all data that can be bought, others of the same people have none; and the store fails now
 * and then.
 */
export function sold(plan: Plan, draw: Draw): Plan {
  const storeFaults = [{ kind: 'failed', rate: 0.2, times: 3, among: 'questions' }] as const;
  const round = (form: Wanted['form'], strikes: readonly FusePlan[] = []): Round => ({
    ...QUIET_ROUND,
    created: contacts(draw, [form]),
    storeFaults,
    strikes,
  });
  return { ...plan, ...PLAIN, freshDays: 90, wantPhone: true, rounds: [round('reachable'), round('url')] };
}
