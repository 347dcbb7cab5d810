import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worstOf } from '#inside/enrichment/backfill/estimate.ts';
import { judged } from '#inside/enrichment/backfill/judge.ts';
import { type Backfill, backfillSchema } from '#inside/enrichment/backfill/schemas.ts';
import { summaryOf } from '#inside/enrichment/backfill/summary.ts';
import {
  admitMembers,
  approved,
  canaryOf,
  countEnds,
  FAILED_REASON,
  type MemberEnd,
  newBackfill,
  nextPlaces,
  paused,
  quoted,
  resumed,
  sorted,
  spentOf,
  started,
  stopped,
} from '#inside/enrichment/backfill/transitions.ts';
import { stratum } from './strata.ts';

const RULES = { canary: { records: 20, perStratum: 5 }, band: { lowest: 0.1, highest: 1 } };
const SCOPE = { objectType: 'contacts', words: 'all of them', where: [] } as const;

function quoteOf(...records: readonly number[]): Backfill {
  const kinds = records.flatMap((count, index) =>
    Array.from({ length: count }, () => ({
      ...{ name: `kind ${index}`, hitCredits: 2, missCredits: 1, minCredits: 1, maxCredits: 2 },
      questions: [],
      prior: { hits: 0, misses: 0 },
    })),
  );
  const page = { afterId: '1', leftOut: ['too old'], members: kinds, rules: [] };
  return quoted(sorted(newBackfill('b', { scope: SCOPE, nowMs: 0 }), page));
}

describe('the canary', () => {
  it.each([
    [[1_000], [20]],
    [
      [900, 100],
      [18, 5],
    ],
    [
      [3, 1_000],
      [3, 20],
    ],
  ])('of %j records has %j', (records, sizes) => {
    const strata = records.map((count) => stratum({ records: count }));
    expect(canaryOf(strata, RULES.canary)).toEqual(sizes);
  });
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

describe('a backfill, whatever happens in whatever order', () => {
  it('lets in each record once, in order, costs no more than its worst, and ends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 3 }),
        fc.array(event, { maxLength: 60 }),
        (records, events) => {
          let made = 0;
          let backfill = started(quoteOf(...records), { agreedBeforehand: true, nowMs: 0 });
          if (!backfill) throw new Error('A quote can be started.');
          const step = (given: Backfill, room: number): Backfill => {
            const known = judged(given, RULES, 1);
            const taken = nextPlaces(known, RULES.canary, room).flatMap((count, index) =>
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
            if (one.kind === 'approve') backfill = approved(backfill) ?? backfill;
            holds(backfill);
          }
          for (let more = 0; backfill.state !== 'done' && more < 40; more += 1) {
            const going: Backfill = resumed(backfill) ?? approved(backfill) ?? backfill;
            const ended = countEnds(going, endsOf(going, 1, 1));
            backfill = step(ended, 30);
            holds(backfill);
          }
          expect(backfill.state).toBe('done');
          expect(backfill.strata.map(({ letIn: count }) => count)).toEqual(records);
          expect(backfill.score?.spent).toBe(spentOf(backfill));
        },
      ),
      { numRuns: 150, seed: 3 },
    );
  });

  function holds(backfill: Backfill): void {
    const { strata, outstanding } = backfill;
    const sum = (of: (one: (typeof strata)[number]) => number) =>
      strata.reduce((all, one) => all + of(one), 0);
    expect(sum((one) => one.letIn)).toBe(
      sum((one) => one.hits + one.misses + one.others) + outstanding.length,
    );
    expect(spentOf(backfill) + outstanding.length * 2).toBeLessThanOrEqual(worstOf(strata));
    expect(strata.every((one) => one.letIn <= one.records)).toBe(true);
    expect(backfillSchema.parse(JSON.parse(JSON.stringify(backfill)))).toEqual(
      JSON.parse(JSON.stringify(backfill)),
    );
  }
});

describe('after the canary', () => {
  it.each([
    ['the range lies in the quote, and was agreed to', { low: 0, high: 900 }, true, 'running'],
    ['the range lies outside the quote', { low: 0, high: 500 }, true, 'approval'],
    ['nobody agreed beforehand', { low: 0, high: 900 }, false, 'approval'],
  ])('%s', (_, range, agreedBeforehand, state) => {
    const quote = { ...quoteOf(400), quote: { minimum: 0, worst: 900, ...range } };
    const canary = started(quote, { agreedBeforehand, nowMs: 0 });
    if (!canary) throw new Error('A quote can be started.');
    const ids = Array.from({ length: 20 }, (_, order) => ({
      ...{ id: `${order}`, order, stratum: 0, runId: `${order}` },
    }));
    const hits = ids.map(({ runId }) => ({ runId, kind: 'hit', credits: 2, isDamage: false }) as const);
    const ended = judged(countEnds(admitMembers(canary, ids), hits), RULES, 5);
    expect(ended.state).toBe(state);
    expect(ended.afterCanary?.low).toBeGreaterThan(600);
  });
});

describe('records with neither match nor miss', () => {
  it('are counted by reason, and told apart from failures', () => {
    const running = started(quoteOf(6), { agreedBeforehand: true, nowMs: 0 });
    if (!running) throw new Error('A quote can be started.');
    const ids = Array.from({ length: 6 }, (_, order) => {
      return { id: `${order}`, order, stratum: 0, runId: `${order}` };
    });
    const other = { kind: 'other', credits: 0, isDamage: false } as const;
    const reasons = ['Dearer.', 'Dearer.', 'Gone.', FAILED_REASON, undefined];
    const ends = reasons.map((reason, index) => ({ ...other, runId: `${index}`, reason }));
    const skipped = countEnds(admitMembers(running, ids), ends.slice(0, 3));
    const summary = summaryOf(skipped);
    expect(summary).toMatchObject({ ended: 3, others: 3, withoutResult: { 'Dearer.': 2, 'Gone.': 1 } });
    expect(summary.notLookedUp).toBe(3);
    for (const end of ends.slice(3))
      expect(summaryOf(countEnds(skipped, [end]))).toMatchObject({ others: 4, notLookedUp: 3 });
    expect(summaryOf(countEnds(skipped, ends.slice(3))).withoutResult).toMatchObject({ [FAILED_REASON]: 1 });
  });
});

describe('the cost of a finished backfill', () => {
  const quote = { minimum: 0, low: 40, high: 60, worst: 80 };
  const afterCanary = { ...quote, low: 50 };

  it.each([
    [49, { quote, afterCanary }, 'less than the likely range'],
    [49, { quote }, 'an amount in the likely range'],
    [50, { quote, afterCanary }, 'an amount in the likely range'],
    [61, { quote, afterCanary }, 'more than the likely range, but not more than the quote'],
    [81, { quote, afterCanary }, 'more than the quote'],
  ])('of %d credits is compared with its range and its quote', (spent, ranges, cost) => {
    const { low, high } = 'afterCanary' in ranges ? ranges.afterCanary : ranges.quote;
    const score = { spent, isInside: low <= spent && spent <= high, width: 0.1 };
    expect(summaryOf({ ...quoteOf(3), ...ranges, score }).cost).toBe(cost);
  });
});

it.each([
  ['quoted', false],
  ['canary', true],
  ['approval', false],
  ['running', true],
  ['paused', false],
  ['done', false],
] as const)(
  'while a person has stopped spending, a backfill that is %s waits for this person: %s',
  (state, waits) => {
    const stop = { reason: 'budget review', sinceMs: 500 };
    const { holding } = summaryOf({ ...quoteOf(3), state, startedAtMs: 900 }, stop);
    const reason = 'A person stopped spending. Reason: budget review.';
    expect(holding).toEqual(waits ? { reason, sinceMs: 900 } : undefined);
  },
);

describe('a person', () => {
  it('may stop it at any time but the end, and resume only what is paused', () => {
    const quote = quoteOf(3);
    expect(resumed(quote)).toBeUndefined();
    expect(approved(quote)).toBeUndefined();
    const ended = stopped(quote, 5);
    expect(ended).toMatchObject({ state: 'stopped', endedAtMs: 5 });
    expect(ended && stopped(ended, 6)).toBeUndefined();
    expect(ended && started(ended, { agreedBeforehand: true, nowMs: 6 })).toBeUndefined();
  });

  it('who overrules a rule is not stopped by it again', () => {
    const running = started(quoteOf(400), { agreedBeforehand: true, nowMs: 0 });
    if (!running) throw new Error('A quote can be started.');
    const ids = Array.from({ length: 60 }, (_, order) => ({
      id: `${order}`,
      order,
      stratum: 0,
      runId: `${order}`,
    }));
    const misses = ids.map(({ runId }) => ({ runId, kind: 'miss', credits: 1, isDamage: false }) as const);
    const missed = countEnds(admitMembers(running, ids), misses);
    const stop = judged(missed, { ...RULES, band: { lowest: 0.5, highest: 1 } }, 9);
    expect(stop).toMatchObject({ state: 'paused', pause: { by: 'match-rate', from: 'canary', atMs: 9 } });
    expect(stop.pause?.examples).toHaveLength(5);
    const on = resumed(stop);
    expect(on && judged(on, { ...RULES, band: { lowest: 0.5, highest: 1 } }, 10).state).not.toBe('paused');
    const damaged = countEnds(
      admitMembers(running, ids),
      misses.map((miss) => ({ ...miss, isDamage: true })),
    );
    expect(judged(damaged, RULES, 9).pause).toMatchObject({ by: 'damage' });
  });
});
