import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backfillSchema } from '#inside/extensions/backfill/schemas.ts';
import {
  admitMembers,
  approved,
  atMostOf,
  countEnds,
  expectedOf,
  judged,
  type MemberEnd,
  matchRateOf,
  nextPlaces,
  paused,
  proposedLimits,
  quoted,
  resumed,
  sorted,
  spentOf,
  started,
} from '#inside/extensions/backfill/transitions.ts';
import { type Backfill, newBackfill, summaryOf, trialOf } from '#shared/extensions/backfill';
import { stratum } from './strata.ts';

const SIZE = { trial: 20, trialPerStratum: 5 };
const SCOPE = { objectType: 'contacts', words: 'all of them', where: [] } as const;

function quoteOf(...records: readonly number[]): Backfill {
  const kinds = records.flatMap((count, index) =>
    Array.from({ length: count }, () => ({
      name: `kind ${index}`,
      hitCredits: 2,
      missCredits: 1,
      maxCredits: 2,
    })),
  );
  const page = { afterId: '1', leftOut: ['too old'], members: kinds, rules: [] };
  return quoted(sorted(newBackfill('b', { scope: SCOPE, trialSize: SIZE, nowMs: 0 }), page), undefined);
}

it.each([
  { records: [1_000], sizes: [20] },
  { records: [900, 100], sizes: [18, 5] },
  { records: [3, 1_000], sizes: [3, 20] },
])('the trial of $records records has $sizes', ({ records, sizes }) => {
  const strata = records.map((count) => stratum({ records: count }));
  expect(trialOf({ strata, trialSize: SIZE })).toEqual(sizes);
});

/** What may happen, one after the other. */
const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('sweep' as const), room: fc.integer({ min: 0, max: 30 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('ends' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      hit: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'pause' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'resume' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'approve' as const }) },
);

function endsOf({ outstanding }: Backfill, share: number, hit: number): MemberEnd[] {
  return outstanding.slice(0, Math.ceil(outstanding.length * share)).map(({ runId }, index, all) => {
    const isHit = index < hit * all.length;
    return { runId, kind: isHit ? 'hit' : 'miss', credits: isHit ? 2 : 1, isDamage: false };
  });
}

it('a backfill, whatever happens in whatever order, lets in each record once, in order, costs no more than its worst, and ends', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 3 }),
      fc.array(event, { maxLength: 60 }),
      (records, events) => {
        let made = 0;
        let backfill = started(quoteOf(...records), { agreedBeforehand: true, agreed: {}, nowMs: 0 });
        if (!backfill) throw new Error('A quote can be started.');
        const step = (given: Backfill, room: number): Backfill => {
          const known = judged(given, 1);
          const taken = nextPlaces(known, room).flatMap((count, index) =>
            Array.from({ length: count }, (_, place) => {
              const order = (known.strata[index]?.letIn ?? 0) + place;
              return { id: `${index}-${order}`, order, stratum: index, runId: `r${++made}` };
            }),
          );
          return admitMembers(known, taken);
        };
        for (const one of events) {
          if (one.kind === 'sweep') backfill = step(backfill, one.room);
          if (one.kind === 'ends') backfill = countEnds(backfill, endsOf(backfill, one.share, one.hit));
          if (one.kind === 'pause')
            backfill = paused(backfill, { by: 'person', reason: '', examples: [], atMs: 1 });
          if (one.kind === 'resume') backfill = resumed(backfill) ?? backfill;
          if (one.kind === 'approve') backfill = approved(backfill, {}) ?? backfill;
          holds(backfill);
        }
        for (let more = 0; backfill.state !== 'done' && more < 40; more += 1) {
          const going: Backfill = resumed(backfill) ?? approved(backfill, {}) ?? backfill;
          const ended = countEnds(going, endsOf(going, 1, 1));
          backfill = step(ended, 30);
          holds(backfill);
        }
        expect(backfill.state).toBe('done');
        expect(backfill.strata.map(({ letIn: count }) => count)).toEqual(records);
      },
    ),
    { numRuns: 150, seed: 3 },
  );
});

function holds(backfill: Backfill): void {
  const { strata, outstanding } = backfill;
  const sum = (of: (one: (typeof strata)[number]) => number) => strata.reduce((all, one) => all + of(one), 0);
  expect(sum((one) => one.letIn)).toBe(sum((one) => one.hits + one.misses + one.others) + outstanding.length);
  expect(spentOf(backfill) + outstanding.length * 2).toBeLessThanOrEqual(atMostOf(strata));
  expect(strata.every((one) => one.letIn <= one.records)).toBe(true);
  expect(backfillSchema.parse(JSON.parse(JSON.stringify(backfill)))).toEqual(
    JSON.parse(JSON.stringify(backfill)),
  );
}

/** Ends this many admitted records of the only stratum: first the matches, then the misses. */
function withResults(backfill: Backfill, { hits = 0, misses = 0, damaged = 0 }): Backfill {
  const from = backfill.strata[0]?.letIn ?? 0;
  const ids = Array.from({ length: hits + misses }, (_, index) => {
    return { id: `${from + index}`, order: from + index, stratum: 0, runId: `${from + index}` };
  });
  const ends = ids.map(({ runId }, index): MemberEnd => {
    const isHit = index < hits;
    return { runId, kind: isHit ? 'hit' : 'miss', credits: isHit ? 2 : 1, isDamage: index < damaged };
  });
  return countEnds(admitMembers(backfill, ids), ends);
}

function begun(quote: Backfill, more: Partial<Parameters<typeof started>[1]> = {}): Backfill {
  const trial = started(quote, { agreedBeforehand: false, agreed: {}, nowMs: 0, ...more });
  if (!trial) throw new Error('A quote can be started.');
  return trial;
}

describe('the costs', () => {
  it('are at most the highest price of each record, and expected only at a known match rate', () => {
    const { quote, strata } = quoteOf(100);
    expect(quote).toEqual({ atMost: 200 });
    expect(quoted(quoteOf(100), 0.7).quote).toEqual({ atMost: 200, matchRate: 0.7, expected: 170 });
    expect(expectedOf(strata, 0.5)).toBe(150);
  });

  it('that are expected after the trial follow from the results of each type of lookup', () => {
    const own = stratum({ records: 100, hitCredits: 4, maxCredits: 4, hits: 5, misses: 5, spent: 25 });
    const other = stratum({ records: 10, hitCredits: 0, missCredits: 0, maxCredits: 1 });
    // 25 credits are spent. Of 90 other records, half cost 4 credits and half 1 credit.
    expect(expectedOf([own, other], 0.9)).toBe(250);
  });

  it('weigh each type of lookup by its records, because a trial takes more of a small one', () => {
    const large = stratum({ records: 900, hits: 9, misses: 1 });
    const small = stratum({ records: 100, hits: 0, misses: 10 });
    expect(matchRateOf([large, small])).toBeCloseTo(0.81);
    expect(matchRateOf([stratum({ records: 9 })])).toBeUndefined();
  });
});

describe('after the trial', () => {
  it.each([
    ['a person agreed beforehand', { agreedBeforehand: true }, { hits: 12, misses: 8 }, 'running'],
    ['a person must agree', {}, { hits: 12, misses: 8 }, 'approval'],
    [
      'more was damaged than a person agreed to beforehand',
      { agreedBeforehand: true },
      { hits: 20, damaged: 2 },
      'approval',
    ],
    [
      'fewer match than in the last 30 days',
      { agreedBeforehand: true },
      { hits: 10, misses: 10, rate: 0.7 },
      'approval',
    ],
    ['fewer match than was agreed', { agreed: { matchRate: 0.7 } }, { hits: 12, misses: 8 }, 'paused'],
    ['more was damaged than was agreed', { agreed: { damage: 0.1 } }, { hits: 20, damaged: 3 }, 'paused'],
  ])('where %s', (_, start, { rate, ...results }: { rate?: number; hits: number }, state) => {
    const trial = begun(quoted(quoteOf(400), rate), start);
    expect(judged(withResults(trial, results), 5).state).toBe(state);
  });

  it('the results and the proposed limits are shown, and a person can change them', () => {
    const approval = judged(withResults(begun(quoteOf(400)), { hits: 12, misses: 8, damaged: 1 }), 5);
    expect(approval.trial).toEqual({ matchRate: 0.6, damage: 0.05, expected: 32 + 380 * 1.6 });
    const { limits } = summaryOf(approval);
    expect(limits?.matchRate).toBeCloseTo(0.45);
    expect(limits?.damage).toBeCloseTo(0.1);
    expect(approved(approval, {})?.agreed).toEqual(limits);
    expect(approved(approval, { damage: 0.5 })?.agreed).toEqual({ ...limits, damage: 0.5 });
    expect(proposedLimits({ trial: { matchRate: 0.1, damage: 0.99 } })).toEqual({ matchRate: 0, damage: 1 });
  });

  it('free records need no approval', () => {
    const free = quoteOf(400);
    const strata = free.strata.map((one) => ({ ...one, maxCredits: 0 }));
    const trial = withResults(begun({ ...free, strata }), { hits: 20 });
    const spent = { ...trial, strata: trial.strata.map((one) => ({ ...one, spent: 0 })) };
    expect(judged(spent, 5).state).toBe('running');
  });
});

it.each([
  ['match-rate', { misses: 99 }, { misses: 1 }],
  ['damage', { hits: 99, damaged: 40 }, { hits: 1 }],
] as const)('a person is asked after each 100 records, and overrules the limit: %s', (by, worse, last) => {
  const approval = judged(withResults(begun(quoteOf(400)), { hits: 20 }), 5);
  const running = approved(approval, {});
  if (!running) throw new Error('The rest can be approved.');
  const before = judged(withResults(running, worse), 9);
  expect(before.state).toBe('running');
  const pause = judged(withResults(before, last), 9);
  expect(pause).toMatchObject({ state: 'paused', pause: { by, from: 'running', atMs: 9 } });
  expect(pause.pause?.examples).toHaveLength(5);
  const resumedOne = resumed(pause);
  if (!resumedOne) throw new Error('A pause can be ended.');
  const later = judged(withResults(resumedOne, worse), 10);
  expect(judged(withResults(later, last), 10).state).toBe('running');
});
