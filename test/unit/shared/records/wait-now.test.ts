import { expect, it } from 'vitest';
import {
  endOfWait,
  newRecordState,
  type RecordState,
  standingOf,
  timedReason,
  WAIT_END_TEXTS,
  type WaitingReason,
  waitEnd,
  waitNow,
} from '#shared/records';

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
