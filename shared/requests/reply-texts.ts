import { askerWords } from '#shared/crm';
import { counted, rowText, sentenceRow, type TextParamsOf } from '#shared/kernel';
import { decisionWords, type FindingState } from '#shared/review';
import type { Reply } from './schemas.ts';

type ReplyOf<K> = Extract<Reply, { readonly kind: K }>;

/**
 * Each result of a person's request by its code: the sentence, or how to make it from its parameters. `stopReason` is the
 * text of the person who stopped spending.
 */
export const REPLY_TEXTS = {
  'figures-asked': 'The figures are read again.',
  'spending-stopped':
    'Spending is stopped: requests in flight finish and are booked, and no new one is sent.',
  'spending-continues': 'Spending continues: waiting records are retried within 5 minutes.',
  'spending-not-stopped': 'No person had stopped spending.',
  'spending-stopped-again':
    'Spending was stopped again after you opened this page: look at the reason first.',

  'stop-seen': 'Marked as seen.',
  'stop-seen-already': 'This stop was marked as seen already.',

  'doubt-charged': sentenceRow(
    { credits: 3 },
    ({ credits }) => `Booked as charged: ${counted(credits, 'credit')}.`,
  ),
  'doubt-not-charged': 'Booked as not charged.',
  'doubt-returned': sentenceRow(
    { credits: 3 },
    ({ credits }) => `Not charged: ${counted(credits, 'credit')} were booked and are given back.`,
  ),
  'doubt-resolved-already': 'This request was resolved already.',
  'answer-may-come': sentenceRow(
    { notBefore: '21 Nov 2026, 12:00' },
    ({ notBefore }) => `The answer may still come: decide after ${notBefore}.`,
  ),

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

  'records-admitted': sentenceRow(
    { records: 2 },
    ({ records }) =>
      `${counted(records, 'record')} admitted: they start within a minute, as far as the budget goes.`,
  ),
  budget: sentenceRow(
    { budget: 'import/day' },
    ({ budget }) => `The budget ${budget} refuses it: no record was started.`,
  ),
  'no-record-fits': 'No waiting record fits the agreed price, or none waits any more.',
  'start-when-resumed': 'Start the records again when spending is resumed.',

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
  'nobody-listed': sentenceRow(
    { setting: 'people.approve' },
    ({ setting }) => `No HubSpot user may do this yet: add the id of a user to ${setting} in the policy.`,
  ),
  'user-not-listed': sentenceRow(
    { users: '1001, 1002', setting: 'people.approve' },
    ({ users, setting }) =>
      `Only the HubSpot users ${users} may do this: ask one of them, or change ${setting} in the policy.`,
  ),
  'accept-later': 'Accept it again in some minutes.',
  'acceptance-gone': 'It cannot be accepted any more.',
  'preview-expired': 'The values are kept for 10 minutes only: look again.',

  'undo-busy': 'A worker updates the record or has an answer to write: try again in some minutes.',
  'undo-forgotten': 'Its person asked to be forgotten: no former value is stored.',
  'answer-unknown': 'The answer of this run is no longer stored.',
  'answer-rejected-already': sentenceRow(
    { by: 'user:1001', at: '21 Nov 2026, 12:00' },
    ({ by, at }) =>
      `The answer of this run was rejected already, by ${askerWords(by)}${at === '' ? '' : ` on ${at}`}.`,
  ),
} as const;

type ReplyTexts = typeof REPLY_TEXTS;

export type ReplyCode = keyof ReplyTexts;

type ReplyParams<C extends ReplyCode> = TextParamsOf<ReplyTexts[C]> &
  NonNullable<ReplyOf<'decided'>['params']>;

/** @param then a sentence that follows. */
export function decidedReply<C extends ReplyCode>(
  code: C,
  params: ReplyParams<C>,
  then = '',
): ReplyOf<'decided'> {
  return { kind: 'decided', code, params, what: joined(rowText(REPLY_TEXTS[code], params), then) };
}

/** @param why a sentence that comes first. */
export function refusedReply<C extends ReplyCode>(
  code: C,
  params: ReplyParams<C>,
  why = '',
): ReplyOf<'refused'> {
  return { kind: 'refused', code, params, reason: joined(why, rowText(REPLY_TEXTS[code], params)) };
}

function joined(first: string, second: string): string {
  return [first, second].filter((text) => text !== '').join(' ');
}
