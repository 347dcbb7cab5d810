import { expect, it } from 'vitest';
import { BACKFILL_REPLIES } from '#shared/extensions/backfill';
import { REVIEW_REPLIES } from '#shared/extensions/review';
import { TAKE_BACK_REPLIES } from '#shared/extensions/take-back';
import { REPLY_TEXTS } from '#shared/requests';
import { catalogueFaults } from '../../../harness/catalogue.ts';

it.each([REPLY_TEXTS, BACKFILL_REPLIES, REVIEW_REPLIES, TAKE_BACK_REPLIES])(
  'the text of each reply is one short sentence',
  (texts) => {
    expect(catalogueFaults(texts)).toEqual([]);
  },
);
