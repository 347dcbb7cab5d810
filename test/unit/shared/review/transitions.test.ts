import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_OTHERS, type Review, reviewSchema } from '#inside/review/schemas.ts';
import { reviewKind } from '#inside/review/stored-kinds.ts';
import {
  absorbed,
  decided,
  foundDuplicate,
  purgedReview,
  recordGone,
  withFindingsOfAnswer,
} from '#inside/review/transitions.ts';
import { FINDING_KINDS, type Finding, isUndecided, type NewFinding, reviewLines } from '#shared/review';

const record = { objectType: 'contacts', id: '7' } as const;

function finding(kind: NewFinding['kind'], askedAtMs: number, more: Partial<NewFinding> = {}): NewFinding {
  const answer = { questionKey: 'q', operation: 'personProfile', askedAtMs } as const;
  return { kind, reason: { code: 'because' }, purpose: 'live', answer, ...more };
}

const kindArbitrary = fc.constantFrom(...FINDING_KINDS.filter((kind) => kind !== 'duplicate'));
const eventArbitrary = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('look'), of: fc.array(kindArbitrary), at: fc.nat(3) }),
  },
  fc.record({ kind: fc.constant('duplicate'), of: fc.array(kindArbitrary), at: fc.nat(3) }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('accepted', 'done', 'rejected', 'gone'),
      of: fc.tuple(fc.constantFrom(...FINDING_KINDS)),
      at: fc.nat(3),
    }),
  },
  fc.record({
    kind: fc.constantFrom('record gone', 'absorbed', 'purged'),
    of: fc.constant([]),
    at: fc.nat(3),
  }),
);
type Event = typeof eventArbitrary extends fc.Arbitrary<infer T> ? T : never;

function apply(review: Review | undefined, { kind, of, at }: Event, nowMs: number): Review | undefined {
  const [first = 'proposal'] = of;
  switch (kind) {
    case 'look':
      return withFindingsOfAnswer(review, {
        record,
        found: [...new Set(of)].map((each) => finding(each, at)),
        nowMs,
      });
    case 'duplicate': {
      const found: NewFinding = {
        kind: 'duplicate',
        reason: { code: 'twice' },
        purpose: 'live',
        others: [`${at}`],
      };
      return foundDuplicate(review, { record, found, nowMs });
    }
    case 'record gone':
      return recordGone(review, nowMs);
    case 'absorbed':
      return absorbed(review, `${at}`, nowMs);
    case 'purged':
      return purgedReview(record, nowMs);
    default: {
      const decision = decided(review, { kind: first, to: kind, nowMs });
      return decision.kind === 'decided' ? decision.review : undefined;
    }
  }
}

/** The diagram, for one and the same finding. */
const ARROWS = ['open accepted', 'open rejected', 'open gone', 'open done', 'accepted done', 'accepted gone'];

const sameAnswer = (a: Finding, b: Finding) =>
  a.answer?.askedAtMs === b.answer?.askedAtMs && a.others?.join() === b.others?.join();

describe('what is up for review', () => {
  it('takes only the steps of the diagram, whatever happens in whatever order', () => {
    fc.assert(
      fc.property(fc.array(eventArbitrary, { maxLength: 40, size: 'max' }), (events) => {
        let review: Review | undefined;
        events.forEach((event, nowMs) => {
          const next = apply(review, event, nowMs);
          if (review?.forgotten && event.kind !== 'purged') expect(next).toBeUndefined();
          for (const after of next?.findings ?? []) {
            const before = review?.findings.find(({ kind }) => kind === after.kind);
            if (!before || before.state === after.state || !sameAnswer(before, after)) continue;
            const isFoundAgain = before.state === 'gone' && after.state === 'open';
            expect(isFoundAgain || ARROWS.includes(`${before.state} ${after.state}`)).toBe(true);
          }
          review = next ?? review;
          const kinds = (review?.findings ?? []).map(({ kind }) => kind);
          expect(kinds).toHaveLength(new Set(kinds).size);
          // Listed exactly as long as something is undecided.
          const isListed = review !== undefined && reviewKind.place(review) !== undefined;
          expect(isListed).toBe(review?.findings.some(isUndecided) === true);
          expect(reviewLines(review ? [review] : []).length > 0).toBe(isListed);
        });
      }),
      { numRuns: 500, seed: 11 },
    );
  });

  it('changes nothing when the same is found again, open or rejected', () => {
    const found = [finding('proposal', 1, { before: { answeredAtMs: 5 } })];
    const open = withFindingsOfAnswer(undefined, { record, found, nowMs: 1 });
    expect(withFindingsOfAnswer(open, { record, found, nowMs: 2 })).toBeUndefined();
    const rejected = decided(open, { kind: 'proposal', to: 'rejected', nowMs: 3 });
    if (rejected.kind !== 'decided') throw new Error(rejected.state);
    expect(withFindingsOfAnswer(rejected.review, { record, found, nowMs: 4 })).toBeUndefined();
    const newer = withFindingsOfAnswer(rejected.review, {
      record,
      found: [finding('proposal', 2)],
      nowMs: 5,
    });
    expect(newer?.findings).toMatchObject([{ state: 'open', foundAtMs: 5 }]);
  });

  it('remembers what HubSpot has last heard of, over answers that nobody took', () => {
    const first = withFindingsOfAnswer(undefined, {
      record,
      found: [finding('proposal', 1, { before: { answeredAtMs: 5, employer: 'old' } })],
      nowMs: 1,
    });
    const found = [finding('proposal', 2, { before: { answeredAtMs: 1, employer: 'newer' } })];
    expect(withFindingsOfAnswer(first, { record, found, nowMs: 2 })?.findings).toMatchObject([
      { answer: { askedAtMs: 2 }, before: { answeredAtMs: 5, employer: 'old' } },
    ]);
  });

  it('lists a bounded number of duplicates, and stays readable', () => {
    const others = Array.from({ length: MAX_OTHERS + 9 }, (_, nth) => String(nth));
    const found: NewFinding = { kind: 'duplicate', reason: { code: 'because' }, purpose: 'live', others };
    const review = foundDuplicate(undefined, { record, found, nowMs: 1 });
    expect(reviewSchema.parse(review).findings[0]?.others).toHaveLength(MAX_OTHERS);
    const again = foundDuplicate(review, { record, found: { ...found, others: ['x'] }, nowMs: 2 });
    expect(reviewSchema.parse(again ?? review).findings[0]?.others).toHaveLength(MAX_OTHERS);
  });
});
