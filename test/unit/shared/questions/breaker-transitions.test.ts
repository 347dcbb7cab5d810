import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#shared/kernel/clock.ts';
import {
  CLOSED,
  forKey,
  keyAccepted,
  learn,
  passage,
  withoutOldKey,
} from '#shared/questions/breaker-transitions.ts';
import type { CallResult } from '#shared/questions/paid-calls.ts';
import type { BreakerState } from '#shared/questions/schemas.ts';
import { declined, FOUND, LOST, NO_MATCH, NOON, NOT_SENT } from './asking.ts';

function learned(
  results: readonly CallResult[],
  { priceCredits = 3, chargedCredits = 0, nowMs = NOON, sentAtMs = NOON + 1 } = {},
  state = CLOSED,
): BreakerState {
  const end = { priceCredits, chargedCredits, sentAtMs, nowMs, keyHash };
  return results.reduce((known, result) => learn(known, { result, ...end }), state);
}

const keyHash = 'hash of the key';
const UNCHARGED = { priceCredits: 3, chargedCredits: 0, sentAtMs: NOON };

function pass(state: BreakerState, { priceCredits = 3, nowMs = NOON, keyHash: hash = keyHash } = {}) {
  return passage(state, { priceCredits, nowMs, keyHash: hash });
}

describe('what a breaker learns from', () => {
  it.each([
    ['an answer', FOUND],
    ['a miss', NO_MATCH],
    ['a refused question', declined('bad-request')],
    ['a 429', declined('rate-limited')],
    ['a request that never left', NOT_SENT],
  ])('is nothing in %s: the very same state', (_, result) => {
    expect(learned([result])).toBe(CLOSED);
  });
});

describe('a refused key', () => {
  const refused = learned([declined('key-refused')]);

  it('lets nothing pass until the free key check is due', () => {
    const dueMs = NOON + 2 * MINUTE_MS;
    const untilMs = NOON + 15 * MINUTE_MS;
    expect(pass(refused, { priceCredits: 1 })).toEqual({ kind: 'refused', reason: 'key-refused', untilMs });
    expect(pass(refused, { nowMs: dueMs - 1 }).kind).toBe('refused');
    expect(pass(refused, { nowMs: dueMs }).kind).toBe('check-key');
  });

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

  it('is over for those who do not know the key as soon as another key is answered', () => {
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

  it('is nothing against another address', () => {
    expect(pass(lost, { keyHash: 'hash of the key and another address' })).toEqual({ kind: 'pass' });
  });
});

describe('a balance that did not pay', () => {
  const broke = learned([declined('out-of-credits')], { priceCredits: 3 });

  it('stops what costs as much or more for an hour, and lets cheaper questions pass', () => {
    expect(pass(broke, { priceCredits: 2 })).toEqual({ kind: 'pass' });
    const untilMs = NOON + HOUR_MS;
    expect(pass(broke, { priceCredits: 3 })).toEqual({ kind: 'refused', reason: 'out-of-credits', untilMs });
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

  it('is over as soon as that price was paid, and not by a cheaper one', () => {
    expect(pass(learned([FOUND], { priceCredits: 3 }, broke))).toEqual({ kind: 'pass' });
    expect(pass(learned([FOUND], { priceCredits: 2 }, broke)).kind).toBe('refused');
  });
});

describe('doubts in a row', () => {
  const doubtful = learned([LOST, LOST, LOST]);

  it('open the breaker at the third', () => {
    expect(pass(learned([LOST, LOST]))).toEqual({ kind: 'pass' });
    const untilMs = NOON + 10 * MINUTE_MS;
    expect(pass(doubtful)).toEqual({ kind: 'refused', reason: 'too-many-doubts', untilMs });
  });

  it('are not in a row with an answer between them', () => {
    expect(pass(learned([LOST, LOST, FOUND, LOST, LOST]))).toEqual({ kind: 'pass' });
    expect(pass(learned([LOST, LOST, NO_MATCH, LOST, LOST]))).toEqual({ kind: 'pass' });
  });

  it('are still in a row with a refusal between them, which proves nothing about answers', () => {
    expect(pass(learned([LOST, LOST, declined('rate-limited'), LOST])).kind).toBe('refused');
  });

  it('let a single question try when it is time to', () => {
    const nowMs = NOON + 10 * MINUTE_MS;
    const probe = pass(doubtful, { nowMs });
    if (probe.kind !== 'probe') throw new Error('It was due.');
    expect(pass(probe.value, { nowMs }).kind).toBe('refused');
    expect(pass(learned([FOUND], { nowMs }, probe.value), { nowMs })).toEqual({ kind: 'pass' });
    const again = learned([LOST], { nowMs }, probe.value);
    expect(pass(again, { nowMs: nowMs + 10 * MINUTE_MS - 1 }).kind).toBe('refused');
    expect(pass(again, { nowMs: nowMs + 10 * MINUTE_MS }).kind).toBe('probe');
  });
});

describe('a key that nobody has tried for long', () => {
  it('is no news to those who do not know which one is in use', () => {
    const state = { ...CLOSED, keyRefused: { sinceMs: NOON, keyHash, probeAtMs: NOON } };
    expect(withoutOldKey(state, NOON + 15 * MINUTE_MS - 1)).toBe(state);
    expect(withoutOldKey(state, NOON + 15 * MINUTE_MS)).toEqual(CLOSED);
  });
});

describe('a charge above the price list', () => {
  const overcharged = learned([FOUND], { chargedCredits: 4 });
  const untilMs = NOON + HOUR_MS;

  it('refuses every price for an hour, then lets one cheap question pass', () => {
    const refused = { kind: 'refused', reason: 'charges-above-list', untilMs };
    expect(pass(overcharged, { priceCredits: 1 })).toEqual(refused);
    expect(pass(overcharged, { nowMs: untilMs, priceCredits: 11 })).toMatchObject({ kind: 'refused' });
    const probe = pass(overcharged, { nowMs: untilMs });
    if (probe.kind !== 'probe') throw new Error('It was due.');
    expect(pass(probe.value, { nowMs: untilMs }).kind).toBe('refused');
  });

  it('is not disproved by a question that was under way', () => {
    expect(learned([FOUND], { chargedCredits: 3, sentAtMs: NOON - 1 }, overcharged)).toBe(overcharged);
    const probe = pass(overcharged, { nowMs: untilMs });
    if (probe.kind !== 'probe') throw new Error('It was due.');
    const late = { chargedCredits: 3, sentAtMs: NOON - 1, nowMs: untilMs };
    expect(learned([FOUND], late, probe.value)).toBe(probe.value);
    const fits = { chargedCredits: 3, sentAtMs: untilMs, nowMs: untilMs };
    expect(learned([FOUND], fits, probe.value).overcharged).toBeUndefined();
    const again = learned([FOUND], { ...fits, chargedCredits: 4 }, probe.value);
    expect(again.overcharged).toEqual({ sinceMs: NOON, probeAtMs: untilMs + HOUR_MS });
  });
});
