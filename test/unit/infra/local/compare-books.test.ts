import { expect, it } from 'vitest';
import { compareBooks } from '../../../../infra/local/terminal.ts';

/** What is given, whether the books agree, and the figures of the line that adds up the bill. */
it.each([
  ['agree', { posted: 10, doubtful: 0, charged: 10 }, true, [10, 10, 10]],
  ['agree beside doubts', { posted: 10, doubtful: 4, charged: 10 }, true, [10, 0, 4, 10, 14, 10]],
  [
    'differ by a doubt',
    { posted: 1_251, doubtful: 4, charged: 1_254 },
    true,
    [1_251, 0, 4, 1_251, 1_255, 1_254],
  ],
  ['differ by more than the doubts', { posted: 10, doubtful: 4, charged: 15 }, false, [10, 0, 4, 10, 14, 15]],
  [
    'differ by a doubt that is booked as charged',
    { posted: 733, doubtful: 0, booked: 9, charged: 724 },
    true,
    [733, 9, 0, 724, 733, 724],
  ],
  ['agree after a correction', { posted: 10, doubtful: 0, charged: 13, adjusted: -3 }, true, [10, 10, 3, 13]],
  ['differ by too little', { posted: 10, doubtful: 0, charged: 9 }, false, [10, 10, 9]],
] as const)('ledger and bill %s', (_, books, agrees, figures) => {
  const lines: string[] = [];
  expect(compareBooks({ say: (line = '') => lines.push(line) }, { booked: 0, ...books })).toBe(agrees);
  expect(lines.some((line) => line.includes('ledger reconcile'))).toBe(!agrees);
  expect(lines[0]?.replaceAll(',', '').match(/\d+/g)?.map(Number)).toEqual(figures);
});
