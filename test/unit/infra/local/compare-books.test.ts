import { expect, it } from 'vitest';
import { compareBooks } from '../../../../infra/local/terminal.ts';

const DOUBTS =
  'In doubt: at most 4 credits, for requests that were cut off before their answer; see: npm run -s cli -- doubts list';

it.each([
  ['agree', { posted: 10, doubtful: 0, charged: 10 }, true, ['The books agree.']],
  ['agree beside doubts', { posted: 10, doubtful: 4, charged: 10 }, true, [DOUBTS, 'The books agree.']],
  [
    'differ by doubts, which are named',
    { posted: 1_251, doubtful: 4, charged: 1_254 },
    true,
    [
      DOUBTS,
      'The books agree except for 3 credits on the bill that the ledger lacks: requests in doubt were charged.',
    ],
  ],
  [
    'differ by more than the doubts',
    { posted: 10, doubtful: 4, charged: 15 },
    false,
    [DOUBTS, 'THE BOOKS DIFFER.'],
  ],
  [
    'differ by a doubt that is booked as charged',
    { posted: 733, doubtful: 0, booked: 9, charged: 724 },
    true,
    [
      'Booked as charged without a proof: 9 credits; see: npm run -s cli -- doubts list',
      'The books agree except for 9 credits in the ledger that the bill lacks: they were booked as charged without a proof.',
    ],
  ],
  ['differ by too little', { posted: 10, doubtful: 0, charged: 9 }, false, ['THE BOOKS DIFFER.']],
] as const)('ledger and bill %s', (_, books, agrees, said) => {
  const lines: string[] = [];
  expect(compareBooks({ say: (line = '') => lines.push(line) }, { booked: 0, ...books })).toBe(agrees);
  expect(lines).toEqual(said);
});
