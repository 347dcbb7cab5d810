import { describe, expect, it } from 'vitest';
import { leading } from '#inside/records/asked.ts';

describe('the leading reason', () => {
  it.each([
    [
      ['import', 'a'],
      ['manual', 'b'],
      ['manual', 'b'],
    ],
    [
      ['manual', 'a'],
      ['import', 'b'],
      ['manual', 'a'],
    ],
    [
      ['live', 'a'],
      ['live', 'b'],
      ['live', 'a'],
    ],
    [
      ['live', undefined],
      ['live', 'b'],
      ['live', undefined],
    ],
    [
      ['import', 'a'],
      ['live', undefined],
      ['live', undefined],
    ],
  ] as const)('of %j and %j is %j', ([purpose, askedBy], [other, otherBy], [expected, by]) => {
    const found = leading({ purpose, askedBy }, { purpose: other, askedBy: otherBy });
    expect(found).toStrictEqual({ purpose: expected, ...(by && { askedBy: by }) });
  });
});
