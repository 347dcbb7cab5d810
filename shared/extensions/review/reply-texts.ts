import { counted, sentenceRow } from '#shared/kernel';
import { repliesOf } from '#shared/requests';
import { decisionWords, type FindingState } from '#shared/review';

/** Results of decisions about findings, by code. */
export const REVIEW_REPLIES = {
  'values-written': sentenceRow({ values: 2 }, ({ values }) => `${counted(values, 'value')} written.`),
  'finding-rejected':
    'The record stays as it is; this answer brings the finding no more, but a later answer can.',
  'finding-undone': sentenceRow(
    { values: 2 },
    ({ values }) =>
      `${counted(values, 'value')} undone; this answer brings the finding no more, but a later answer can.`,
  ),
  'finding-rejected-late':
    'This answer brings the finding no more; the status in HubSpot may lag, because a worker is updating the record.',
  'finding-closed': 'This finding was decided already, or a new one replaced it.',
  'finding-decided': sentenceRow(
    { state: 'rejected' as FindingState, by: 'user:1001', at: '21 Nov 2026, 12:00' },
    ({ state, by, at }) => `This finding was decided already: ${decisionWords(state, by)} on ${at}.`,
  ),
  'nothing-offered': 'None of the chosen values is offered any more: look at the values again.',
  'identity-unconfirmed': 'First confirm that the record takes the identity of another person or company.',
  'accept-later': 'Accept it again in some minutes.',
  'acceptance-gone': 'It cannot be accepted any more.',
} as const;

export const { decidedReply, refusedReply } = repliesOf(REVIEW_REPLIES);
