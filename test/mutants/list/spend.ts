import type { Breakages } from '../mutant.ts';

const CHARGES = 'test/unit/shared/spend/charges.test.ts';
const VIEWS = 'test/unit/shared/spend/views.test.ts';
const SAME_SUMS = 'test/unit/functions/report-spend/same-sums.property.test.ts';

/** Links from a figure to its charges, and from a charge to its record. */
export const SPEND: readonly Breakages[] = [
  {
    file: 'shared/questions/ask/book.ts',
    suites: ['test/unit/shared/questions/gateway.test.ts'],
    breakages: [
      [
        'a charge does not say for whom it was',
        'purpose, record, rule, askedBy };',
        'purpose, rule, askedBy };',
      ],
    ],
  },
  {
    file: 'shared/spend/charges.ts',
    suites: [CHARGES, VIEWS],
    breakages: [
      ['charges that had no room on a page are on none', 'nextSeq: page.at(-1)?.seq ?? beforeSeq', 'nextSeq'],
    ],
  },
  {
    file: 'shared/spend/spans.ts',
    suites: ['test/unit/shared/spend/spans.test.ts'],
    breakages: [
      ['of two stretches of the log that become one the second is lost', '[span[0], next[1]]', 'span'],
    ],
  },
  {
    file: 'shared/spend/page/tables.ts',
    suites: [SAME_SUMS],
    breakages: [
      ['a figure leads to the charges of all', '{ ...selection, [by]: name }, links', 'selection, links'],
    ],
  },
];
