import { describe, expect, it } from 'vitest';
import {
  CLOSED,
  forKey,
  keyAccepted,
  learn,
  passage,
  resume,
  stop,
  withCreditsBooked,
  withoutProbe,
} from '#inside/questions/breakers.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { type BreakerState, isOutOfCredits, withoutOldKey } from '#shared/questions';
import type { CallResult } from '#shared/vendor';
import { declined, FOUND, LOST, NO_MATCH, NOON, NOT_SENT } from './asking.ts';

function learned(
  results: readonly CallResult[],
  { priceCredits = 3, chargedCredits = 0, nowMs = NOON, sentAtMs = NOON + 1 } = {},
  state = CLOSED,
): BreakerState {
  const end = { priceCredits, chargedCredits, sentAtMs, nowMs, keyHash, testCreditsPerHour: 10 };
  return results.reduce((known, result) => learn(known, { result, ...end }), state);
}

const keyHash = 'hash of the key';
const UNCHARGED = { priceCredits: 3, chargedCredits: 0, sentAtMs: NOON, testCreditsPerHour: 10 };

interface Passing {
  readonly priceCredits?: number;
  readonly nowMs?: number;
  readonly keyHash?: string;
  readonly testCreditsPerHour?: number;
  readonly turnMs?: number | undefined;
  readonly isKeyAnswered?: boolean;
}

function pass(state: BreakerState, passing: Passing = {}) {
  return passage(state, { priceCredits: 3, nowMs: NOON, keyHash, testCreditsPerHour: 10, ...passing });
}

/** A probe whose free key check, if it needs one, is answered. */
function probe(state: BreakerState, passing: Passing = {}): BreakerState {
  const checking = pass(state, passing);
  const passed =
    checking.kind === 'check-key'
      ? pass(checking.value, { ...passing, turnMs: checking.turnMs, isKeyAnswered: true })
      : checking;
  if (passed.kind !== 'probe' || !passed.value) throw new Error(`It was due: ${passed.kind}.`);
  return passed.value;
}

it.each([
  ['an answer', FOUND],
  ['a miss', NO_MATCH],
  ['a refused question', declined('bad-request')],
  ['a 429', declined('rate-limited')],
  ['a request that never left', NOT_SENT],
])('what a breaker learns from is nothing in %s: the very same state', (_, result) => {
  expect(learned([result])).toBe(CLOSED);
});

describe('a refused key', () => {
  const refused = learned([declined('key-refused')]);

  it('is checked by one asker at a time', () => {
    const nowMs = NOON + 5 * MINUTE_MS;
    const checking = pass(refused, { nowMs });
    if (checking.kind !== 'check-key') throw new Error('It was due.');
    expect(pass(checking.value, { nowMs }).kind).toBe('refused');
  });

  it('is forgotten when the key is accepted, and nothing else with it', () => {
    const both = learned([declined('key-refused'), declined('out-of-credits')]);
    expect(pass(keyAccepted(both))).toMatchObject({ kind: 'refused', reason: 'out-of-credits' });
    expect(pass(keyAccepted(refused))).toEqual({ kind: 'pass' });
  });

  it('is nothing against another key, whose own refusal takes its place', () => {
    const another = { keyHash: 'hash of another' };
    expect(pass(refused, another)).toEqual({ kind: 'pass' });
    expect(forKey(refused, another.keyHash)).toEqual(CLOSED);
    const both = learn(refused, {
      result: declined('key-refused'),
      ...UNCHARGED,
      nowMs: NOON,
      ...another,
    });
    expect(pass(both, another).kind).toBe('refused');
    expect(pass(both)).toEqual({ kind: 'pass' });
  });

  it('counts from its first refusal, each key for itself', () => {
    const checking = pass(refused, { nowMs: NOON + HOUR_MS });
    if (checking.kind !== 'check-key') throw new Error('It was due.');
    expect(checking.value.keyRefused).toMatchObject({
      sinceMs: NOON,
      probeAtMs: NOON + HOUR_MS + 2 * MINUTE_MS,
    });
    const again = { result: declined('key-refused'), ...UNCHARGED, nowMs: NOON + HOUR_MS };
    expect(learn(refused, { ...again, keyHash }).keyRefused?.sinceMs).toBe(NOON);
    expect(learn(refused, { ...again, keyHash: 'hash of another' }).keyRefused?.sinceMs).toBe(NOON + HOUR_MS);
  });

  it('ends for callers without the key as soon as another key is answered', () => {
    const end = { result: FOUND, ...UNCHARGED, nowMs: NOON };
    expect(withoutOldKey(learn(refused, { ...end, keyHash }), NOON).keyRefused).toBeDefined();
    const replaced = learn(refused, { ...end, keyHash: 'hash of another' });
    expect(withoutOldKey(replaced, NOON).keyRefused).toBeUndefined();
    expect(pass(replaced).kind).toBe('refused');
    const checking = pass(replaced, { nowMs: NOON + HOUR_MS });
    expect(withoutOldKey(checking.value ?? refused, NOON + HOUR_MS).keyRefused).toBeUndefined();
  });

  it('is not forgotten by an answer that was on its way', () => {
    expect(pass(learned([FOUND], {}, refused)).kind).toBe('refused');
  });
});

describe('an address that is not the data service’s', () => {
  const lost = learned([declined('wrong-address')]);

  it('lets nothing pass until the free key check is due, and says why, also after a check in vain', () => {
    const untilMs = NOON + 15 * MINUTE_MS;
    const nowMs = NOON + 2 * MINUTE_MS;
    expect(pass(lost, { priceCredits: 1 })).toEqual({ kind: 'refused', reason: 'wrong-address', untilMs });
    const checking = pass(lost, { nowMs });
    if (checking.kind !== 'check-key') throw new Error('It was due.');
    expect(pass(checking.value, { nowMs })).toMatchObject({ reason: 'wrong-address' });
    expect(pass(keyAccepted(checking.value), { nowMs })).toEqual({ kind: 'pass' });
  });
});

describe('a balance that did not pay', () => {
  const broke = learned([declined('out-of-credits')], { priceCredits: 3 });

  it('stops what costs as much or more for three minutes, and lets cheaper questions pass', () => {
    expect(pass(broke, { priceCredits: 2 })).toEqual({ kind: 'pass' });
    const untilMs = NOON + 3 * MINUTE_MS;
    const waitMs = NOON + 15 * MINUTE_MS;
    expect(pass(broke, { priceCredits: 3 })).toEqual({
      kind: 'refused',
      reason: 'out-of-credits',
      untilMs: waitMs,
    });
    expect(pass(broke, { priceCredits: 6 }).kind).toBe('refused');
    expect(pass(broke, { priceCredits: 6, nowMs: untilMs })).toEqual({ kind: 'pass' });
  });

  it('keeps the lowest price refused, until its time', () => {
    const dearer = { priceCredits: 6, nowMs: NOON + MINUTE_MS };
    const both = learned([declined('out-of-credits')], dearer, broke);
    expect(pass(both, { priceCredits: 3, nowMs: dearer.nowMs }).kind).toBe('refused');
    const lower = learned([declined('out-of-credits')], { priceCredits: 1, nowMs: dearer.nowMs }, both);
    expect(pass(lower, { priceCredits: 1, nowMs: dearer.nowMs }).kind).toBe('refused');
    const late = { priceCredits: 6, nowMs: NOON + HOUR_MS };
    const later = learned([declined('out-of-credits')], late, broke);
    expect(pass(later, { priceCredits: 3, nowMs: late.nowMs })).toEqual({ kind: 'pass' });
    expect(pass(later, late).kind).toBe('refused');
  });

  it('is tested by the next question after a person booked credits, and counts as empty no more', () => {
    const nowMs = NOON + MINUTE_MS;
    expect(isOutOfCredits(broke, nowMs)).toBe(true);
    const booked = withCreditsBooked(broke, nowMs);
    expect(isOutOfCredits(booked, nowMs)).toBe(false);
    expect(pass(booked, { priceCredits: 3, nowMs })).toEqual({ kind: 'pass' });
    const still = learned([declined('out-of-credits')], { priceCredits: 3, nowMs }, booked);
    expect(pass(still, { priceCredits: 3, nowMs }).kind).toBe('refused');
    expect(still.outOfCredits?.sinceMs).toBe(NOON);
    expect(withCreditsBooked(CLOSED, nowMs)).toBe(CLOSED);
  });

  it('counts as empty while the next test is due, and ends by itself where no record tests it', () => {
    expect(isOutOfCredits(broke, NOON + 8 * MINUTE_MS - 1)).toBe(true);
    expect(isOutOfCredits(broke, NOON + 8 * MINUTE_MS)).toBe(false);
  });

  it('is over as soon as that price was paid, and not by a cheaper one', () => {
    expect(pass(learned([FOUND], { priceCredits: 3 }, broke))).toEqual({ kind: 'pass' });
    expect(pass(learned([FOUND], { priceCredits: 2 }, broke)).kind).toBe('refused');
  });
});

describe('doubts in a row', () => {
  const doubtful = learned([LOST, LOST, LOST]);

  it('open the breaker at the third', () => {
    expect(pass(learned([LOST, LOST]))).toEqual({ kind: 'pass' });
    const untilMs = NOON + 2 * MINUTE_MS;
    expect(pass(doubtful)).toEqual({ kind: 'refused', reason: 'too-many-doubts', untilMs });
  });

  it('are not in a row with an answer between them', () => {
    expect(pass(learned([LOST, LOST, FOUND, LOST, LOST]))).toEqual({ kind: 'pass' });
    expect(pass(learned([LOST, LOST, NO_MATCH, LOST, LOST]))).toEqual({ kind: 'pass' });
  });

  it('are still in a row with a refusal between them, which proves nothing about answers', () => {
    expect(pass(learned([LOST, LOST, declined('rate-limited'), LOST])).kind).toBe('refused');
  });

  const dueMs = NOON + 2 * MINUTE_MS;

  it('ask the free key check first, one asker at a time, and pay nothing while it is not answered', () => {
    const checking = pass(doubtful, { nowMs: dueMs });
    if (checking.kind !== 'check-key') throw new Error('It was due.');
    expect(pass(checking.value, { nowMs: dueMs, priceCredits: 1 }).kind).toBe('refused');
    expect(pass(checking.value, { nowMs: dueMs + 2 * MINUTE_MS }).kind).toBe('check-key');
  });

  it('then let one question pass; its answer closes the breaker', () => {
    const probed = probe(doubtful, { nowMs: dueMs });
    expect(pass(probed, { nowMs: dueMs }).kind).toBe('refused');
    expect(learned([FOUND], { nowMs: dueMs }, probed)).toEqual(CLOSED);
  });

  it.each([
    [10, 3, 18],
    [1, 3, 180],
    [100, 1, 5],
  ])('cost at most %i credits an hour: after one of %i the next is asked %i minutes later', (...given) => {
    const [testCreditsPerHour, priceCredits, minutes] = given;
    const probed = probe(doubtful, { nowMs: dueMs, testCreditsPerHour, priceCredits });
    const again = learned([LOST], { nowMs: dueMs }, probed);
    const nextMs = dueMs + minutes * MINUTE_MS;
    expect(pass(again, { nowMs: nextMs - 1 }).kind).toBe('refused');
    expect(pass(again, { nowMs: nextMs }).kind).toBe('check-key');
    expect(probe(again, { nowMs: nextMs }).probe?.grantedAtMs).toBe(nextMs);
  });

  it('try no dear question, and let it ask again soon', () => {
    const refused = { kind: 'refused', reason: 'too-many-doubts', untilMs: dueMs + 5 * MINUTE_MS };
    expect(pass(doubtful, { nowMs: dueMs, priceCredits: 11 })).toEqual(refused);
  });

  it('give the turn of a probe that was not sent to another, a minute later', () => {
    const probed = probe(doubtful, { nowMs: dueMs });
    const turnMs = probed.probe?.atMs ?? 0;
    expect(withoutProbe(probed, turnMs + 1, dueMs)).toBe(probed);
    const back = withoutProbe(probed, turnMs, dueMs);
    expect(pass(back, { nowMs: dueMs + MINUTE_MS - 1 }).kind).toBe('refused');
    expect(pass(back, { nowMs: dueMs + MINUTE_MS }).kind).toBe('check-key');
  });

  it('repeat a probe that cost nothing and told nothing after five minutes', () => {
    const probed = probe(doubtful, { nowMs: dueMs });
    const after = learned([declined('rate-limited')], { nowMs: dueMs, sentAtMs: dueMs }, probed);
    expect(pass(after, { nowMs: dueMs + 5 * MINUTE_MS }).kind).toBe('check-key');
    expect(learned([declined('rate-limited')], { nowMs: dueMs, sentAtMs: dueMs - 1 }, probed)).toBe(probed);
  });

  it('let a probe that waited go on in its turn, unless a person stopped it meanwhile', () => {
    const probed = probe(doubtful, { nowMs: dueMs });
    const turnMs = probed.probe?.atMs;
    expect(pass(probed, { nowMs: dueMs + MINUTE_MS, turnMs })).toEqual({ kind: 'probe', turnMs });
    const stopped = stop(probed, { sinceMs: dueMs, reason: 'budget review' });
    expect(pass(stopped, { turnMs })).toMatchObject({ reason: 'stopped-by-person' });
  });
});

describe('a stop by a person', () => {
  const stopped = stop(CLOSED, { sinceMs: NOON, reason: 'budget review' });

  it('lets no question pass until a person resumes, whatever results arrive', () => {
    const later = { nowMs: NOON + 1_000 * HOUR_MS, priceCredits: 1 };
    expect(pass(stopped, later)).toMatchObject({ kind: 'refused', reason: 'stopped-by-person' });
    expect(pass(learned([FOUND, LOST], {}, stopped), later)).toMatchObject({ reason: 'stopped-by-person' });
    expect(pass(resume(stopped), later)).toEqual({ kind: 'pass' });
  });

  it('keeps its time when its reason is corrected; resume without a stop changes nothing', () => {
    const again = stop(stopped, { sinceMs: NOON + 1, reason: 'another', by: 'sales operations' });
    expect(again.stopped).toEqual({ sinceMs: NOON, reason: 'another', by: 'sales operations' });
    expect(resume(CLOSED)).toBe(CLOSED);
  });
});

it('a key that nobody has tried for long is no news to those who do not know which one is in use', () => {
  const state = { ...CLOSED, keyRefused: { sinceMs: NOON, keyHash, probeAtMs: NOON } };
  expect(withoutOldKey(state, NOON + 15 * MINUTE_MS - 1)).toBe(state);
  expect(withoutOldKey(state, NOON + 15 * MINUTE_MS)).toEqual(CLOSED);
});

describe('a charge above the price list', () => {
  const overcharged = learned([FOUND], { chargedCredits: 4 });
  const untilMs = NOON + 24 * MINUTE_MS;

  it('refuses every price until its charge fits the hourly limit, then lets one cheap question pass', () => {
    const refused = { kind: 'refused', reason: 'charges-above-list' };
    expect(pass(overcharged, { priceCredits: 1 })).toEqual({ ...refused, untilMs: NOON + 5 * MINUTE_MS });
    expect(pass(overcharged, { nowMs: untilMs - 1 })).toEqual({ ...refused, untilMs });
    expect(pass(overcharged, { nowMs: untilMs, priceCredits: 11 })).toMatchObject(refused);
    expect(pass(probe(overcharged, { nowMs: untilMs }), { nowMs: untilMs }).kind).toBe('refused');
  });

  it('is not disproved by a question that was under way', () => {
    expect(learned([FOUND], { chargedCredits: 3, sentAtMs: NOON - 1 }, overcharged)).toBe(overcharged);
    const probed = probe(overcharged, { nowMs: untilMs });
    const late = { chargedCredits: 3, sentAtMs: NOON - 1, nowMs: untilMs };
    expect(learned([FOUND], late, probed)).toBe(probed);
    const fits = { chargedCredits: 3, sentAtMs: untilMs, nowMs: untilMs };
    expect(learned([FOUND], fits, probed).overcharged).toBeUndefined();
    const again = learned([FOUND], { ...fits, chargedCredits: 40 }, probed);
    expect(again).toMatchObject({ overcharged: { sinceMs: NOON }, probe: { atMs: untilMs + 4 * HOUR_MS } });
  });

  it('shares its probe with doubts: an answer ends the doubts, and the charge that fits the other', () => {
    const both = learned([LOST, LOST, LOST], {}, overcharged);
    expect(pass(both, { nowMs: untilMs }).kind).toBe('check-key');
    const probed = probe(both, { nowMs: untilMs });
    const answered = { chargedCredits: 3, sentAtMs: untilMs, nowMs: untilMs };
    expect(learned([FOUND], { ...answered, sentAtMs: NOON - 1 }, probed)).toMatchObject({ overcharged: {} });
    expect(learned([FOUND], answered, probed)).toEqual(CLOSED);
  });
});
