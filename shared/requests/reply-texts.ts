import { counted, rowText, sentenceRow, type TextParamsOf } from '#shared/kernel';
import type { Reply } from './schemas.ts';

type ReplyOf<K> = Extract<Reply, { readonly kind: K }>;

/** Each result of a request to the core by its code: the sentence, or how to make it from its parameters. */
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
  'nobody-listed': sentenceRow(
    { setting: 'people.approve' },
    ({ setting }) => `No HubSpot user may do this yet: add the id of a user to ${setting} in the policy.`,
  ),
  'user-not-listed': sentenceRow(
    { users: '1001, 1002', setting: 'people.approve' },
    ({ users, setting }) =>
      `Only the HubSpot users ${users} may do this: ask one of them, or change ${setting} in the policy.`,
  ),
  'preview-expired': 'The values are kept for 10 minutes only: look again.',
} as const;

type ReplyText = Parameters<typeof rowText>[0];

type ReplyParams<Row> = TextParamsOf<Row> & NonNullable<ReplyOf<'decided'>['params']>;

/** Makes replies of a catalogue of texts. The core has one, and each extension has its own. */
export function repliesOf<T extends { readonly [C in keyof T]: ReplyText }>(texts: T) {
  const textOf = <C extends keyof T & string>(code: C, params: ReplyParams<T[C]>) =>
    rowText(texts[code], params);
  return {
    /** @param then a sentence that follows. */
    decidedReply: <C extends keyof T & string>(
      code: C,
      params: ReplyParams<T[C]>,
      then = '',
    ): ReplyOf<'decided'> => ({ kind: 'decided', code, params, what: joined(textOf(code, params), then) }),
    /** @param why a sentence that comes first. */
    refusedReply: <C extends keyof T & string>(
      code: C,
      params: ReplyParams<T[C]>,
      why = '',
    ): ReplyOf<'refused'> => ({ kind: 'refused', code, params, reason: joined(why, textOf(code, params)) }),
  };
}

export const { decidedReply, refusedReply } = repliesOf(REPLY_TEXTS);

function joined(first: string, second: string): string {
  return [first, second].filter((text) => text !== '').join(' ');
}
