import type { Breakages } from '../mutant.ts';

const SHADOW = 'test/e2e/shadow.test.ts';
const CRASHES = 'test/e2e/shadow-crash.test.ts';
const REVIEW = 'test/e2e/review.test.ts';
const TRANSITIONS = 'test/unit/shared/review/transitions.test.ts';

/** Human decisions: nothing is written before one, and each decision lasts. */
export const REVIEWING: readonly Breakages[] = [
  {
    file: 'shared/field-policy/employer.ts',
    suites: [SHADOW],
    breakages: [
      ['a policy in shadow writes', "if (mode === 'shadow') return {};", ''],
      [
        'an employer is written in part while the rest of it is proposed',
        'shadowProperties.has(property) || (isEmployerProposed && ofEmployer.has(property))',
        'shadowProperties.has(property)',
      ],
    ],
  },
  {
    file: 'shared/enrichment/write-back/plan-writes.ts',
    suites: [SHADOW],
    breakages: [['a policy in shadow writes statuses', 'isShadow ? {} : ', '']],
  },
  {
    file: 'shared/enrichment/settle-record.ts',
    suites: [REVIEW, SHADOW],
    breakages: [
      [
        'what is not so any more stays up for review',
        '(findings.length === 0 && !hasReview)',
        'findings.length === 0',
      ],
      [
        'a record that is gone stays up for review',
        'if (runOutcome.learned.isGone && hasReview)',
        'if (false)',
      ],
    ],
  },
  {
    file: 'shared/review/transitions.ts',
    suites: [TRANSITIONS, REVIEW, CRASHES],
    breakages: [
      [
        'what somebody rejected is accepted',
        "accepted: ['open', 'accepted'],",
        "accepted: ['open', 'accepted', 'rejected'],",
      ],
      [
        'what was accepted and not carried out is never accepted again',
        "accepted: ['open', 'accepted'],",
        "accepted: ['open'],",
      ],
      ['somebody who is forgotten is put up for review', 'if (review?.forgotten) return undefined;', ''],
      [
        'what was rejected is put up again',
        "isSameFinding(finding, found) && finding.state !== 'gone'",
        "isSameFinding(finding, found) && finding.state === 'open'",
      ],
    ],
  },
  {
    file: 'shared/enrichment/review/stored-answer.ts',
    suites: [SHADOW],
    breakages: [
      ['an answer that is too old is accepted', '!stored || stored.expiresAtMs <= clock.now()', '!stored'],
    ],
  },
];
