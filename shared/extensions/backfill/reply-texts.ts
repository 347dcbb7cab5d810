import { counted, sentenceRow } from '#shared/kernel';
import { repliesOf } from '#shared/requests';

/** Results of decisions about backfills, by code. `stopReason` is the text of the person who stopped spending. */
export const BACKFILL_REPLIES = {
  'trial-starts': 'The trial starts within a minute.',
  'rest-starts': 'The rest starts within a minute.',
  'backfill-paused': 'The backfill is paused: only requests in flight are still charged.',
  'backfill-continues': 'The backfill continues within a minute.',
  'backfill-stopped': 'The backfill is stopped for good: only requests in flight are still charged.',
  'agreed-but-held': sentenceRow(
    { stopReason: 'budget review' },
    ({ stopReason }) =>
      `Agreed, but nothing is bought for it until a person resumes spending (reason of the stop: ${stopReason}).`,
  ),
  'backfill-unknown': 'There is no such backfill.',
  'quote-too-old': 'The quote is more than 30 days old: make a new one.',
  'backfill-dearer': sentenceRow(
    { credits: 12 },
    ({ credits }) =>
      `Look again: this step costs at most ${counted(credits, 'credit')} now, more than the agreed price.`,
  ),
  'backfill-in-state': sentenceRow(
    { state: 'running' },
    ({ state }) => `This does not fit: the backfill is now in the state "${state}".`,
  ),
} as const;

export const { decidedReply, refusedReply } = repliesOf(BACKFILL_REPLIES);
