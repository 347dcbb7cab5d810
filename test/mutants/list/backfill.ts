import type { Breakages } from '../mutant.ts';

const STORIES = 'test/e2e/backfill.test.ts';
const PRICES = 'test/e2e/agreed-price.test.ts';
const KNOWN = 'test/e2e/known-answers.test.ts';
const UNITS = 'test/unit/shared/enrichment/backfill/transitions.test.ts';

/** A backfill costs at most its quote, and looks up each record once. */
export const BACKFILL: readonly Breakages[] = [
  {
    file: 'shared/questions/ask/ask-now.ts',
    suites: [STORIES, PRICES],
    breakages: [
      [
        'a backfill asks dearer questions than were quoted',
        'if (leftCredits !== undefined && priceOfQuestion(request.question) > leftCredits)',
        'if (leftCredits === -1)',
      ],
      [
        'what a run may be charged is not stored before it asks',
        'const isCommitted = isWanted && (await commit(request, reservationId));',
        'const isCommitted = isWanted;',
      ],
    ],
  },
  {
    file: 'shared/enrichment/claim.ts',
    suites: ['test/e2e/deferred.test.ts'],
    breakages: [
      [
        'a message that comes twice opens a second run',
        'if (eventKeys.length === 0 && !run) return true;',
        '',
      ],
    ],
  },
  {
    file: 'shared/enrichment/ask/known-answer.ts',
    suites: [KNOWN],
    breakages: [
      [
        'an answer that no longer tells of the person is taken for one about the person',
        'if (found && isAnswerTo(digest, { ...found, own: ownKey })) return found.answer;',
        'if (found) return found.answer;',
      ],
    ],
  },
  {
    file: 'shared/enrichment/backfill/advance.ts',
    suites: [STORIES],
    breakages: [
      [
        'the last one that was let in is let in again',
        'found.filter(({ id }) => id !== lastTaken?.id)',
        'found',
      ],
    ],
  },
  {
    file: 'shared/enrichment/backfill/members.ts',
    suites: [STORIES],
    breakages: [
      [
        'the trial is no random sample',
        "digest.keyed(JSON.stringify(['member', backfillId, id])).slice(0, HASH_DIGITS), 16",
        'id, 10',
      ],
    ],
  },
  {
    file: 'shared/enrichment/sorting/first-questions.ts',
    suites: ['test/e2e/backfill-shared.test.ts'],
    breakages: [
      [
        'records that share a question count twice',
        "if (known.some((asker) => covers(asker.options, question.options))) return 'other-record';",
        '',
      ],
    ],
  },
  {
    file: 'shared/enrichment/backfill/transitions.ts',
    suites: [UNITS],
    breakages: [
      ['no limit pauses it', 'if (excess) return paused', 'if (!excess) return paused'],
      [
        'a trial with much damage continues without a person',
        '...proposedLimits(backfill), ...backfill.agreed })',
        '...backfill.agreed })',
      ],
      ['a limit that a person overruled pauses it again', '&& NO_LIMITS[pause.by]', '&& {}'],
    ],
  },
];
