import { kind } from '#shared/store';
import { homeViewSchema } from './schemas.ts';

export const homeKind = kind({
  name: 'home page: sums, counts and open decisions',
  prefix: 'home',
  scope: 'portal',
  table: 'state',
  schema: homeViewSchema,
  expiry: { kept: 'no expiry, one item' },
  holdsPeople: false,
  bound: {
    needs:
      'Kinds of stops, each once; MAX_PAST_STOPS past stops; MAX_DOUBTS doubts and a row that counts the others; MAX_BACKFILLS backfills; one row of notices.',
    'needs.examples': 'EXAMPLES of a backfill.',
    'needs.waited': 'MAX_SHOWN_LEADS.',
    backfills: 'MAX_BACKFILLS.',
    'policy.rules': 'Rules of the policy, each once.',
    'policy.rules.conditions': 'Conditions of a rule of the policy.',
    'policy.fields': 'Properties of the policy, each once.',
    'review.items.others': 'The records that an explanation names, at most a few.',
    'review.items': 'MAX_REVIEW_ITEMS; `isMore` says that there are others.',
    'spend.budgets': 'Budgets of the policy, each once.',
    waiting: 'Purposes and reasons of waits, each once.',
    activity: 'MAX_ACTIVITY; the newest.',
    claims: 'MAX_CLAIMS; the newest.',
  },
});
