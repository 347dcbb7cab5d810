import { describe, expect, it } from 'vitest';
import { MAX_HASHES, MAX_VERDICTS } from '#inside/ownership/schemas.ts';
import {
  acceptAnswer,
  declineValues,
  isRejected,
  mergeOwnership,
  mergeVerdicts,
  ownershipSchema,
  rejectAnswer,
  type Verdicts,
  verdictsSchema,
  withOwnership,
} from '#shared/ownership';

describe('the entry of a property', () => {
  it('holds the newest written value alone, which history has proved', () => {
    const known = { city: { written: ['a', 'b'], unproved: true } } as const;
    expect(withOwnership(known, { written: { city: 'c' } })).toEqual({ city: { written: ['c'] } });
  });

  it('leaves when the last thing that it says is over', () => {
    const known = { city: { written: ['a'], unproved: true }, zip: { broughtBack: ['b', 'c'] } } as const;
    const after = withOwnership(known, { released: ['city'], ended: { zip: ['b'] } });
    expect(after).toEqual({ zip: { broughtBack: ['c'] } });
    expect(withOwnership(after, { ended: { zip: ['c'] } })).toEqual({});
  });

  it('keeps a value that is brought back in the same run in which it had ended', () => {
    const change = { ended: { city: ['b'] }, broughtBack: { city: 'b' } };
    expect(withOwnership({ city: { broughtBack: ['b'] } }, change)).toEqual({ city: { broughtBack: ['b'] } });
  });

  it('is not confused by names that every object has', () => {
    expect(withOwnership({}, { seenFilled: ['constructor'] })).toEqual({
      constructor: { filledByOthers: true },
    });
  });
});

describe('a merge of two records', () => {
  it('keeps what each of them knew', () => {
    const winner = { city: { written: ['a'], broughtBack: ['x'] } };
    const loser = { city: { written: ['a'], broughtBack: ['y'] }, zip: { filledByOthers: true } } as const;
    expect(mergeOwnership(winner, loser, { wereAnswered: true })).toEqual({
      city: { written: ['a'], broughtBack: ['y', 'x'] },
      zip: { filledByOthers: true },
    });
  });

  it.each([
    [{ city: { written: ['a'] } }, {}],
    [{}, { city: { written: ['a'] } }],
    [{ city: { written: ['a'] } }, { city: { filledByOthers: true } }],
  ] as const)(
    'asks for a proof where only one of two answered records remembers the property',
    (winner, loser) => {
      expect(mergeOwnership(winner, loser, { wereAnswered: true })['city']).toMatchObject({
        written: ['a'],
        unproved: true,
      });
      expect(mergeOwnership(winner, loser, { wereAnswered: false })['city']).not.toHaveProperty('unproved');
    },
  );

  it('asks for a proof where both remember different values, also in a later merge', () => {
    const both = mergeOwnership(
      { city: { written: ['a'] } },
      { city: { written: ['b'] } },
      { wereAnswered: true },
    );
    expect(both).toEqual({ city: { written: ['b', 'a'], unproved: true } });
    expect(mergeOwnership({}, both, { wereAnswered: false })).toEqual(both);
    expect(mergeOwnership(both, {}, { wereAnswered: false })).toEqual(both);
  });

  it('keeps the newest hashes up to the limit of a property', () => {
    const hashes = (of: string) => Array.from({ length: MAX_HASHES }, (_, nth) => `${of}${nth}`);
    const merged = mergeOwnership(
      { city: { broughtBack: hashes('winner') } },
      { city: { broughtBack: [...hashes('loser').slice(1), 'winner0'] } },
      { wereAnswered: true },
    );
    expect(ownershipSchema.parse(merged)).toEqual({ city: { broughtBack: hashes('winner') } });
  });
});

const FIRST = { questionKey: 'q', askedAtMs: 1 };
const LATER = { questionKey: 'q', askedAtMs: 2 };
const CONTRADICTS = { reason: { code: 'other-last-name' } };
const WRONG = { reason: { code: 'rejected-by-person' }, byPerson: true };

describe('a verdict', () => {
  it('speaks about one answer alone', () => {
    const verdicts = declineValues(rejectAnswer([], FIRST, CONTRADICTS), LATER, ['city']);
    expect(verdicts).toEqual([
      { ...FIRST, rejected: CONTRADICTS },
      { ...LATER, declined: ['city'] },
    ]);
  });

  it('of a person takes the place of an earlier one: taken, then rejected, then taken', () => {
    const taken = acceptAnswer(rejectAnswer([], FIRST, CONTRADICTS), FIRST, 'contradiction');
    expect(taken).toEqual([{ ...FIRST, inSpiteOf: 'contradiction' }]);
    const rejected = rejectAnswer(taken, FIRST, WRONG);
    expect(rejected).toEqual([{ ...FIRST, rejected: WRONG }]);
    expect(rejected.some(isRejected)).toBe(true);
    expect(acceptAnswer(rejected, FIRST, 'job-change')).toEqual([{ ...FIRST, inSpiteOf: 'job-change' }]);
  });

  it('of the evidence takes nothing back that a person said', () => {
    expect(rejectAnswer(rejectAnswer([], FIRST, WRONG), FIRST, CONTRADICTS)).toEqual([
      { ...FIRST, rejected: WRONG },
    ]);
    const taken = rejectAnswer(acceptAnswer([], FIRST, 'job-change'), FIRST, CONTRADICTS);
    expect(taken).toEqual([{ ...FIRST, rejected: CONTRADICTS, inSpiteOf: 'job-change' }]);
    expect(taken.some(isRejected)).toBe(false);
  });

  it('adds up declined properties, each once', () => {
    expect(declineValues(declineValues([], FIRST, ['city', 'zip']), FIRST, ['zip', 'state'])).toEqual([
      { ...FIRST, declined: ['city', 'zip', 'state'] },
    ]);
  });

  it('of a person stays at the limit, and the oldest of the evidence goes', () => {
    let verdicts: Verdicts = [];
    for (let nth = 0; nth < MAX_VERDICTS; nth += 1)
      verdicts = rejectAnswer(
        verdicts,
        { questionKey: `${nth}`, askedAtMs: nth },
        nth === 1 ? CONTRADICTS : WRONG,
      );
    const more = declineValues(verdicts, LATER, ['city']);
    expect(verdictsSchema.parse(more).map(({ questionKey }) => questionKey)).toEqual([
      '0',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
      '8',
      '9',
      'q',
    ]);
    const most = acceptAnswer(more, FIRST, 'contradiction');
    expect(most[0]?.questionKey).toBe('2');
    expect(most.at(-1)).toEqual({ ...FIRST, inSpiteOf: 'contradiction' });
  });

  it('of the winner counts where a merged record had one on the same answer', () => {
    const winner = rejectAnswer([], FIRST, WRONG);
    const loser = declineValues(rejectAnswer([], FIRST, CONTRADICTS), LATER, ['city']);
    expect(mergeVerdicts(winner, loser)).toEqual([{ ...LATER, declined: ['city'] }, ...winner]);
  });

  it('is kept up to the limit in a merge, the newest of the winner first', () => {
    const of = (name: string) =>
      Array.from({ length: MAX_VERDICTS }, (_, nth) => ({
        questionKey: name + nth,
        askedAtMs: nth,
        rejected: CONTRADICTS,
      }));
    expect(verdictsSchema.parse(mergeVerdicts(of('winner'), of('loser')))).toEqual(of('winner'));
  });
});
