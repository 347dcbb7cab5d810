import { describe, expect, it } from 'vitest';
import { withoutObtained } from '#inside/records/removal.ts';
import {
  absorb,
  beginRemoval,
  isUnderWay,
  newRecordState,
  type RecordState,
  type Removal,
} from '#shared/records';

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

const recallOf = (fromMs: number, toMs: number, more: Partial<Removal> = {}): Removal => ({
  ...{ by: 'recall', obtained: { fromMs, toMs }, atMs: 900 },
  ...more,
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
      ...{ id: '2', obtainedAtMs: 50 },
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
