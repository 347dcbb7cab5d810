import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handOver, take } from '#inside/questions/answers/notes.ts';
import type { QuestionItem, StoredAnswer } from '#inside/questions/schemas.ts';
import { answerFor, answersOf } from '#inside/questions/stored-answers.ts';
import * as question from '#inside/questions/transitions.ts';

const KEY = 'company';
const FRESH_MS = 30;

/** What happens to a company's question: batches take it and come back, a profile is asked beside them. */
const eventArbitrary = fc.record({
  kind: fc.constantFrom('take', 'take', 'answered', 'missed', 'left out', 'profile sent', 'profile answered'),
  batch: fc.constantFrom('A', 'B', 'C'),
  /** The batch that holds the note is known to be over. */
  isOver: fc.boolean(),
  passMs: fc.integer({ min: 0, max: 20 }),
});
type Event = typeof eventArbitrary extends fc.Arbitrary<infer T> ? T : never;

function answerOf({ kind, batch }: Event, nowMs: number): StoredAnswer | undefined {
  if (kind === 'left out') return undefined;
  const told = { options: [], askedAtMs: nowMs, expiresAtMs: nowMs + FRESH_MS, credits: 1, misses: 0 };
  return { kind: kind === 'missed' ? 'no-match' : 'found', ...told, batch: `${batch}${nowMs}` };
}

function apply(item: QuestionItem | undefined, event: Event, nowMs: number) {
  const { kind, batch: reservationId, isOver } = event;
  const fencingToken = item?.attempt?.fencingToken ?? 0;
  switch (kind) {
    case 'take': {
      const note = { batch: reservationId, reservationId, untilMs: nowMs + 5 };
      return take(item, { key: KEY, note, nowMs, over: isOver ? item?.note?.reservationId : undefined });
    }
    case 'profile sent': {
      const asked = { key: KEY, operation: 'companyProfile', options: [], worstCaseCredits: 1 } as const;
      const times = { sentAtMs: nowMs, deadlineAtMs: nowMs + 5 };
      const token = question.nextToken(item, nowMs);
      return question.send(item, {
        ...{ ...asked, ...times, purpose: 'live', fencingToken: token },
        reservationId: `${token}`,
      });
    }
    case 'profile answered': {
      const answer = { ...answerOf({ ...event, kind: 'answered' }, nowMs), batch: undefined } as StoredAnswer;
      const charge = { credits: 1, reason: 'match' };
      return question.complete(item, { fencingToken, charge, answer, nowMs });
    }
    default:
      return handOver(item, { reservationId, answer: answerOf(event, nowMs), nowMs });
  }
}

const lives = fc.array(eventArbitrary, { minLength: 1, maxLength: 80, size: 'max' });

interface Step {
  readonly event: Event;
  readonly nowMs: number;
  readonly before: QuestionItem | undefined;
  readonly taken: ReturnType<typeof apply>;
}

/** @returns how often each kind of event was taken. */
function always(each: (step: Step) => void): Map<string, number> {
  const counts = new Map<string, number>();
  const live = (events: readonly Event[]) => {
    let item: QuestionItem | undefined;
    let nowMs = 1_000;
    for (const event of events) {
      nowMs += event.passMs;
      const before = structuredClone(item);
      const taken = apply(item, event, nowMs);
      expect(item).toEqual(before);
      each({ event, nowMs, before, taken });
      if (taken.value) counts.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
      item = taken.value ?? item;
    }
  };
  fc.assert(fc.property(lives, live), { seed: 5, numRuns: 200 });
  return counts;
}

describe("a batch's note on a company's question, whatever happens to it", () => {
  it('is taken only where nobody asks, nothing fresh is known, and no other batch may still ask', () => {
    const counts = always(({ event, before, taken, nowMs }) => {
      if (event.kind !== 'take') return;
      const isFresh = answerFor(before, { options: [], nowMs, bySearch: true }) !== undefined;
      const isAsked = question.obstacle(before?.attempt) !== undefined;
      const isHeld = before?.note !== undefined && !event.isOver;
      expect(taken.kind === 'next').toBe(!isFresh && !isAsked && !isHeld);
      if (taken.value) expect(taken.value.note?.reservationId).toBe(event.batch);
    });
    expect(counts.get('take')).toBeGreaterThan(200);
  });

  it('goes with the answer of its own batch, stays with that of another, and neither loses an answer', () => {
    const counts = always(({ event, before, taken }) => {
      if (!['answered', 'missed', 'left out'].includes(event.kind)) return;
      const after = taken.value ?? before;
      const isOwn = before?.note?.reservationId === event.batch;
      expect(after?.note).toEqual(isOwn ? undefined : before?.note);
      expect(after?.attempt).toEqual(before?.attempt);
      if (taken.value && event.kind !== 'left out') expect(answersOf(after)[0]?.batch).toMatch(event.batch);
    });
    expect(counts.get('answered')).toBeGreaterThan(200);
    expect(counts.get('left out')).toBeGreaterThan(50);
  });

  it('keeps no profile from being asked, and its answer serves no profile', () => {
    always(({ event, before, taken, nowMs }) => {
      if (event.kind === 'profile sent')
        expect(taken.kind === 'next').toBe(question.obstacle(before?.attempt) === undefined);
      const served = answerFor(taken.value, { options: [], nowMs });
      if (served) expect(served.batch).toBe(undefined);
    });
  });
});
