import { describe, expect, it } from 'vitest';
import { leading } from '#inside/records/later-runs.ts';
import { WAITING_WORDS } from '#inside/records/status-words.ts';
import { withoutObtained } from '#inside/records/transitions.ts';
import { STOP_SENTENCES } from '#shared/questions';
import {
  absorb,
  beginRemoval,
  EXPLANATION_TEXTS,
  endOfWait,
  isUnderWay,
  newRecordState,
  type RecordState,
  type Removal,
  standingOf,
  timedReason,
  WAIT_END_TEXTS,
  type WaitingReason,
  waitEnd,
  waitingWords,
  waitNow,
} from '#shared/records';
import { catalogueFaults, sentenceFaults } from '../../../harness/catalogue.ts';

const OWNERSHIP = {
  jobtitle: { written: ['a'] },
  city: { written: ['b'], broughtBack: ['c'] },
  phone: { filledByOthers: true as const },
};

/** A record that was first answered at 100, and last at 200. */
function answered(more: Partial<RecordState> = {}): RecordState {
  const known = { obtainedAtMs: 100, answeredAtMs: 200, answeredQuestion: 'q', fingerprint: 'f' };
  return { ...newRecordState('contacts', '1'), ...known, ownership: OWNERSHIP, ...more };
}

const recallOf = (fromMs: number, toMs: number): Removal => ({
  by: 'recall',
  obtained: { fromMs, toMs },
  atMs: 900,
});

const RETENTION: Removal = { by: 'retention', rule: 'leads', atMs: 800 };

describe('a removal begins', () => {
  it.each([
    ['its time holds the newest answer', recallOf(200, 200), true],
    ['its time ends before the newest answer', recallOf(0, 199), false],
    ['its time begins after the newest answer', recallOf(201, 900), false],
    ['it has no time', RETENTION, true],
  ])('in the state if %s', (_why, removal, isBegun) => {
    const state = beginRemoval(answered(), removal);
    expect([state.removal, isUnderWay(state)]).toEqual([isBegun ? removal : undefined, isBegun]);
  });

  it('in the state of a record without an answer', () => {
    const { answeredAtMs: _, ...blank } = answered();
    expect(isUnderWay(beginRemoval(blank, recallOf(0, 1)))).toBe(true);
  });
});

describe('a removal that is over', () => {
  it('leaves no value, and the record as never answered', () => {
    const state = withoutObtained(answered({ removal: RETENTION }), { removal: RETENTION, left: [] });
    expect(state.ownership).toEqual({ city: { broughtBack: ['c'] }, phone: { filledByOthers: true } });
    expect(state.removal).toEqual({ ...RETENTION, isDone: true });
    for (const name of ['obtainedAtMs', 'answeredAtMs', 'answeredQuestion', 'fingerprint'] as const)
      expect([name, state[name]]).toEqual([name, undefined]);
  });

  it('leaves the memory of older values, and since when they are held', () => {
    const removal = recallOf(150, 200);
    const state = withoutObtained(answered({ removal }), { removal, left: ['jobtitle'] });
    expect(state.ownership).toMatchObject({ jobtitle: { written: ['a'] }, city: { broughtBack: ['c'] } });
    expect(state.ownership['city']?.written).toBeUndefined();
    expect([state.obtainedAtMs, state.answeredAtMs]).toEqual([100, undefined]);
  });

  it('leaves what people said of answers', () => {
    const verdicts: RecordState['verdicts'] = [
      { questionKey: 'q', askedAtMs: 1, declined: ['city'] },
      { questionKey: 'q', askedAtMs: 2, inSpiteOf: 'contradiction' },
      { questionKey: 'q', askedAtMs: 3, rejected: { reason: { code: 'other' } } },
    ];
    const state = withoutObtained(answered({ verdicts }), { removal: RETENTION, left: [] });
    expect(state.verdicts).toEqual(verdicts);
  });

  it('of an older time changes nothing but its own mark', () => {
    const removal = recallOf(0, 150);
    const other = answered({ removal: RETENTION });
    expect(withoutObtained(other, { removal, left: [] })).toEqual(other);
    expect(withoutObtained(answered({ removal }), { removal, left: [] })).toEqual(answered());
    const earlier = answered({ removal: { ...removal, atMs: 1 } });
    expect(withoutObtained(earlier, { removal, left: [] })).toEqual(earlier);
  });
});

describe('a merge', () => {
  const merged = (winner: Removal | undefined, loser: Removal | undefined) =>
    absorb(answered(winner && { removal: winner }), {
      ...answered(loser && { removal: loser }),
      id: '2',
      obtainedAtMs: 50,
    });
  const DONE: Removal = { ...RETENTION, isDone: true };

  it.each([
    ['goes on that has begun for the loser', undefined, RETENTION, RETENTION],
    ['goes on that has begun for the winner', RETENTION, DONE, RETENTION],
    ['goes on that has begun for the loser of a winner that is done', DONE, RETENTION, RETENTION],
    ['of all values includes a recall', recallOf(1, 2), RETENTION, RETENTION],
    ['of all values includes a recall of the loser', RETENTION, recallOf(1, 2), RETENTION],
    ['covers the times of both recalls', recallOf(5, 9), recallOf(1, 7), recallOf(1, 9)],
    ['covers the times of both recalls in turn', recallOf(1, 3), recallOf(2, 9), recallOf(1, 9)],
    ['stays done', undefined, DONE, DONE],
  ])('a removal %s', (_what, winner, loser, expected) => {
    expect(merged(winner, loser).removal).toEqual(expected);
  });

  it('counts from the first answer of both, and without a removal has none', () => {
    const state = merged(undefined, undefined);
    expect([state.obtainedAtMs, 'removal' in state]).toEqual([50, false]);
  });
});

const run = { id: 'run', purpose: 'import', openedAtMs: 0, credits: 0 } as const;

function waits(reason: WaitingReason, more: Partial<RecordState['run']> = {}): RecordState {
  const waiting = { reason, untilMs: 7, detail: 'detail' };
  return { ...newRecordState('contacts', '1'), run: { ...run, ...more }, waiting };
}

it.each<[WaitingReason, before: ReturnType<typeof waitEnd>, stopped: ReturnType<typeof waitEnd>]>([
  ['queued', 'own-turn', 'resumed'],
  ['budget', 'own-turn', 'resumed'],
  ['rate-limit', 'own-turn', 'resumed'],
  ['admitted', 'free-worker', 'resumed'],
  ['key-refused', undefined, 'resumed'],
  ['too-many-doubts', undefined, 'resumed'],
  ['stopped-by-person', 'free-worker', 'resumed'],
  ['HUBSPOT_REFUSES', undefined, undefined],
  ['HUBSPOT_FORBIDDEN', undefined, undefined],
  ['free-sources-first', undefined, undefined],
])("a record that waits for %s waits until %s, and under a person's stop until %s", (reason, ...ends) => {
  const { run, ...state } = waits(reason);
  for (const [index, end] of ends.entries()) {
    const waiting = waitNow({ run, ...state }, index === 1);
    if (!waiting) throw new Error('The record waits.');
    expect(waitEnd({ run, waiting, nowMs: 6 })).toBe(end);
    const isTimed = waiting.reason === 'budget';
    const words = end === undefined ? [] : [WAIT_END_TEXTS[end]];
    expect(endOfWait({ run, waiting, nowMs: 6 }, () => 'seven')).toBe(
      isTimed ? `${words}, after seven` : (words[0] ?? 'seven'),
    );
  }
});

it('a record that a person took out of the queue waits for a worker, not for more urgent records', () => {
  const state = waits('queued', { overrulesReserve: true });
  expect(waitNow(state, false)).toMatchObject({ reason: 'admitted', untilMs: 7 });
  expect(timedReason(state)).toBe('admitted');
  expect(waitNow(state, true)).toMatchObject({ reason: 'stopped-by-person' });
});

it('a record whose answer is already paid does not wait for the person', () => {
  const state = waits('worker-gone', { answeredQuestion: 'q' });
  expect(waitNow(state, true)).toEqual(state.waiting);
});

it('a record that waited for a person is about to start after the stop, unless the caller knows no stops', () => {
  const state = waits('stopped-by-person');
  expect(waitNow(state, false)).toEqual({ reason: 'admitted', untilMs: 7 });
  expect(waitNow(state, undefined)).toEqual(state.waiting);
});

it('a record whose price is above the limit of a budget waits for a larger budget, and names no time', () => {
  const { run, waiting = { reason: '', untilMs: 0 }, ...state } = waits('budget');
  const above = { ...state, run, waiting: { ...waiting, isAboveLimit: true as const } };
  expect(standingOf(above, { nowMs: 6 })).toMatchObject({ endsWith: 'larger-budget', afterMs: undefined });
  expect(standingOf(above, { nowMs: 6, isStoppedByPerson: true })).toMatchObject({ endsWith: 'resumed' });
});

it.each<[WaitingReason, words: string]>([
  ['budget', WAIT_END_TEXTS['own-turn']],
  ['key-refused', WAIT_END_TEXTS['next-sweep']],
])('a wait for %s that is over names no time in the past', (reason, words) => {
  const { run, waiting = { reason, untilMs: 7 } } = waits(reason);
  expect(endOfWait({ run, waiting, nowMs: 8 }, () => 'seven')).toBe(words);
});

it.each([
  ['import', 'a', 'manual', 'b', 'manual', 'b'],
  ['manual', 'a', 'import', 'b', 'manual', 'a'],
  ['live', 'a', 'live', 'b', 'live', 'a'],
  ['live', undefined, 'live', 'b', 'live', undefined],
  ['import', 'a', 'live', undefined, 'live', undefined],
] as const)('the leading reason of %s by %s and %s by %s is %s by %s', (...row) => {
  const [purpose, askedBy, other, otherBy, expected, by] = row;
  const found = leading({ purpose, askedBy }, { purpose: other, askedBy: otherBy });
  expect(found).toStrictEqual({ purpose: expected, ...(by && { askedBy: by }) });
});

it('the catalogue of explanations makes one sentence for each code', () => {
  expect(catalogueFaults(EXPLANATION_TEXTS)).toEqual([]);
});

describe('the catalogue of outcomes, waits and stops', () => {
  it.each(Object.entries(STOP_SENTENCES))('says what to do about the stop %s', (reason, why) => {
    const words = waitingWords(reason, 'crm');
    expect(words.why).toBe(why);
    expect(words.toDo).not.toBe('');
  });

  it('says that work continues by itself, except while a person has stopped it', () => {
    const said = waitingWords('out-of-credits', 'crm').toDo;
    expect(said).toBe(waitingWords('out-of-credits', 'crm', false).toDo);
    expect(said).not.toBe(waitingWords('out-of-credits', 'crm', true).toDo);
  });

  it('says of each wait and stop in short sentences why, and what to do', () => {
    for (const reason of WAITING_WORDS.keys()) {
      const { why, toDo } = waitingWords(reason, 'crm');
      expect([why, toDo].flatMap(sentenceFaults), reason).toEqual([]);
    }
  });
});
