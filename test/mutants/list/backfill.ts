import type { Breakages } from '../mutant.ts';

const STORIES = 'test/e2e/backfill.test.ts';
const UNITS = 'test/unit/shared/enrichment/backfill/transitions.test.ts';

/** A backfill costs what it says, and asks about each record once. */
export const BACKFILL: readonly Breakages[] = [
  {
    file: 'shared/enrichment/ask/plan-record.ts',
    suites: [STORIES],
    breakages: [
      [
        'a backfill asks dearer questions than were quoted',
        'if (credits + priceOfQuestion(question) <= quotedCredits(held)) return false;',
        'return false;',
      ],
    ],
  },
  {
    file: 'shared/enrichment/backfill/advance.ts',
    suites: [STORIES],
    breakages: [
      ['the last one that was let in is let in again', 'found.filter(({ id }) => id !== last?.id)', 'found'],
    ],
  },
  {
    file: 'shared/enrichment/backfill/members.ts',
    suites: [STORIES],
    breakages: [
      [
        'the canary is no random sample',
        "digest.keyed(JSON.stringify(['member', backfillId, id])).slice(0, HASH_DIGITS), 16",
        'id, 10',
      ],
    ],
  },
  {
    file: 'shared/enrichment/backfill/first-questions.ts',
    suites: ['test/e2e/backfill-shared.test.ts'],
    breakages: [
      [
        'records that share a question count twice',
        "if (other && !isOwn) return { by: 'other-record', search: other.bySearch };",
        '',
      ],
    ],
  },
  {
    file: 'shared/enrichment/backfill/judge.ts',
    suites: [UNITS, STORIES],
    breakages: [
      ['no rule stops it', 'if (stop) return', 'if (!stop) return'],
      ['a range outside the quote is agreed to', ' && afterCanary.high <= quote.high', ''],
    ],
  },
];
