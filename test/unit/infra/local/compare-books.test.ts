import { expect, it } from 'vitest';
import { compareBooks } from '../../../../infra/local/terminal.ts';

/** What is given, whether the books agree, and the figures of each line that says so. */
it.each([
  ['agree', { posted: 10, doubtful: 0, charged: 10 }, true, [[]]],
  ['agree beside doubts', { posted: 10, doubtful: 4, charged: 10 }, true, [['4'], []]],
  ['differ by doubts, which are named', { posted: 1_251, doubtful: 4, charged: 1_254 }, true, [['4'], ['3']]],
  ['differ by more than the doubts', { posted: 10, doubtful: 4, charged: 15 }, false, [['4'], []]],
  [
    'differ by a doubt that is booked as charged',
    { posted: 733, doubtful: 0, booked: 9, charged: 724 },
    true,
    [['9'], ['9']],
  ],
  ['differ by too little', { posted: 10, doubtful: 0, charged: 9 }, false, [[]]],
] as const)('ledger and bill %s', (_, books, agrees, figures) => {
  const lines: string[] = [];
  expect(compareBooks({ say: (line = '') => lines.push(line) }, { booked: 0, ...books })).toBe(agrees);
  expect(lines.map((line) => line.match(/\d+/g) ?? [])).toEqual(figures);
});
