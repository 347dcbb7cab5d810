import { askerWords } from '#shared/crm';
import { sentenceRow } from '#shared/kernel';
import { repliesOf } from '#shared/requests';

/** Results of an undo and of a wrong match, by code. */
export const TAKE_BACK_REPLIES = {
  'undo-busy': 'A worker updates the record or has an answer to write: try again in some minutes.',
  'undo-forgotten': 'Its person asked to be forgotten: no former value is stored.',
  'answer-unknown': 'The answer of this run is no longer stored.',
  'answer-rejected-already': sentenceRow(
    { by: 'user:1001', at: '21 Nov 2026, 12:00' },
    ({ by, at }) =>
      `The answer of this run was rejected already, by ${askerWords(by)}${at === '' ? '' : ` on ${at}`}.`,
  ),
} as const;

export const { refusedReply } = repliesOf(TAKE_BACK_REPLIES);
