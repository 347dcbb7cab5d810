import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Attempt } from '#inside/questions/schemas.ts';
import { foundAnswer } from '#inside/questions/stored-answers.ts';
import * as question from '#inside/questions/transitions.ts';
import type { QuestionItem } from '#shared/questions';
import { repeated } from '../harness/repeated.ts';

const KEY = 'q';

/** What happens to a question; where it is stale, it comes from whoever held the question before. */
const EVENTS = ['send', 'complete', 'doubt', 'resolve', 'late'] as const;
const eventArbitrary = fc.record({
  kind: fc.constantFrom(...EVENTS),
  stale: fc.integer({ min: 0, max: 4 }).map((chance) => chance === 0),
  /** The clock goes on, and now and then back. */
  passMs: fc.integer({ min: -3, max: 12 }),
  charged: fc.boolean(),
});
type Event = typeof eventArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** The same life in the fewest words. */
interface Model {
  readonly state: 'free' | Attempt['state'];
  readonly token: number;
  readonly holder: number;
}

const NEXT: Readonly<Record<(typeof EVENTS)[number], Partial<Record<Model['state'], Model['state']>>>> = {
  send: { free: 'in-flight', completed: 'in-flight' },
  complete: { 'in-flight': 'completed', 'in-doubt': 'completed' },
  doubt: { 'in-flight': 'in-doubt' },
  resolve: { 'in-doubt': 'completed' },
  /** Stands beside the states. */
  late: {},
};

function take(
  item: QuestionItem | undefined,
  { kind, charged }: Event,
  by: { token: number; nowMs: number },
) {
  const { token: fencingToken, nowMs } = by;
  const asked = { key: KEY, operation: 'personProfile', options: [], worstCaseCredits: 3 } as const;
  const credits = charged ? 3 : 0;
  const answer = foundAnswer(
    { options: [], askedAtMs: nowMs, expiresAtMs: nowMs + 50, credits },
    { packed: 'p' },
  );
  switch (kind) {
    case 'send': {
      const reserved = reservationOf(question.nextToken(item, nowMs), nowMs);
      const sending = { ...asked, purpose: 'live', fencingToken: reserved.token } as const;
      const times = { sentAtMs: nowMs, deadlineAtMs: nowMs + 5 };
      return question.send(item, { ...sending, ...times, reservationId: reserved.id });
    }
    case 'complete':
      return question.complete(item, { fencingToken, charge: { credits, reason: 'match' }, answer, nowMs });
    case 'doubt':
      return question.doubt(item, { fencingToken });
    case 'resolve':
      return question.resolve(item, { charged, reason: 'seen on the bill', nowMs });
    default:
      return question.keepAnswer(item, { answer, nowMs });
  }
}

/** One that somebody made and did not send, or is about to. */
function reservationOf(token: number, atMs: number) {
  const id = question.reservationIdOf(KEY, token, 'n');
  const about = { questionKey: KEY, operation: 'personProfile', purpose: 'live', state: 'pending' } as const;
  return { id, token, seq: 1, amountCredits: 3, day: '2026-11-21', atMs, ...about };
}

function modelOf(item: QuestionItem | undefined): Model {
  const { attempt, fencingToken: token = 0 } = item ?? {};
  return { state: attempt?.state ?? 'free', token, holder: attempt?.fencingToken ?? 0 };
}

/** Lives through the events; `each` sees every step, refused or not. */
function live(events: readonly Event[], each: (step: Step) => void): void {
  let item: QuestionItem | undefined;
  let nowMs = 1_000;
  let holders = [0, 0];
  for (const event of events) {
    nowMs += event.passMs;
    const before = structuredClone(item);
    const token = holders.at(event.stale ? -2 : -1) ?? 0;
    const taken = take(item, event, { token, nowMs });
    expect(item).toEqual(before);
    each({ event, token, nowMs, before, taken });
    item = taken.value ?? item;
    if (item?.attempt && item.attempt.fencingToken !== holders.at(-1))
      holders = [...holders, item.attempt.fencingToken];
  }
}

interface Step {
  readonly event: Event;
  readonly token: number;
  readonly nowMs: number;
  readonly before: QuestionItem | undefined;
  readonly taken: ReturnType<typeof take>;
}

const lives = fc.array(eventArbitrary, { minLength: 1, maxLength: 120, size: 'max' });

it('a question keeps its laws, whatever happens to it', () => {
  const gone = new Set<string>();
  const keepLaws = ({ event, token, before, taken }: Step) => {
    const from = before?.attempt;
    // A stale holder is refused, whatever it wants.
    const isByHolder = ['complete', 'doubt'].includes(event.kind);
    if (isByHolder && token !== from?.fencingToken) expect(taken.kind).toBe('refused');
    if (taken.kind === 'refused') return;
    const [old, now] = [modelOf(before), modelOf(taken.value)];
    // Nothing is sent while another request may be charged.
    if (event.kind === 'send') expect([undefined, 'completed']).toContain(from?.state);
    // It goes only the ways of the model.
    expect(now.state).toBe(event.kind === 'late' ? old.state : NEXT[event.kind][old.state]);
    if (event.kind !== 'late') gone.add(`${event.kind} ${old.state}`);
    // The fencing token never falls, and each attempt has one of its own.
    expect(now.token).toBeGreaterThanOrEqual(old.token);
    if (['send', 'resolve'].includes(event.kind)) expect(now.token).toBeGreaterThan(old.token);
    if (taken.value.attempt) expect(taken.value.attempt.reservationId).toBe(`${KEY}:${now.holder}:n`);
    // A charge stands until the question is sent anew.
    if (from?.charge && event.kind !== 'send') expect(taken.value.attempt?.charge).toEqual(from.charge);
    // A doubt ends only by a proof or a resolution, with a charge.
    if (from?.state !== 'in-doubt' || event.kind === 'late') return;
    expect(['complete', 'resolve']).toContain(event.kind);
    expect(taken.value.attempt).toMatchObject({ state: 'completed', charge: expect.anything() });
  };
  fc.assert(
    fc.property(lives, (events) => live(events, keepLaws)),
    { seed: 11, numRuns: repeated(300) },
  );
  const ways = Object.entries(NEXT).flatMap(([kind, from]) =>
    Object.keys(from).map((state) => `${kind} ${state}`),
  );
  expect([...gone].sort()).toEqual(ways.sort());
});
