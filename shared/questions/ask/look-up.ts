import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { withoutForgotten } from '../answers/finish-answer.ts';
import { stateOfNote } from '../answers/note-state.ts';
import type { AskResult } from '../ask-result.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { unpackAnswer } from '../packed-answers.ts';
import type { Attempt, Note, QuestionItem, StoredAnswer } from '../schemas.ts';
import { answerFor } from '../stored-answers.ts';
import { obstacle } from '../transitions.ts';

export type LookUpStep =
  | { readonly kind: 'end'; readonly result: AskResult }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'ask' };

/** First pause before another read, while another worker looks the question up. Later pauses grow. */
const FIRST_LOOK_MS = 500;

/** Step 1: decides by the question's item. A fresh answer with all wanted options ends it at no cost. */
export async function lookUp(
  services: GatewayServices,
  request: KeyedRequest,
  item: QuestionItem | undefined,
): Promise<LookUpStep> {
  const nowMs = services.clock.now();
  const answer = answerFor(item, { options: request.question.options, nowMs });
  const known = answer && (await storedResult(services, request, answer));
  if (known) return { kind: 'end', result: known };
  const note = item?.note;
  if (note && (await stateOfNote(services, note)) === 'assembling') return waitForBatch(request, note, nowMs);
  const attempt = item?.attempt;
  const inTheWay = obstacle(attempt);
  if (!attempt || !inTheWay) return { kind: 'ask' };
  if (inTheWay === 'in-doubt') return { kind: 'end', result: doubtResult(request.key) };
  return nowMs >= attempt.deadlineAtMs
    ? { kind: 'end', result: overdue(nowMs, attempt.deadlineAtMs) }
    : waitForOther(request, attempt, nowMs);
}

/** Waits while another worker looks the question up, or gives up when the time is over. */
function waitForOther({ notAfterMs }: KeyedRequest, other: Attempt, nowMs: number): LookUpStep {
  const ms = Math.max(FIRST_LOOK_MS, (nowMs - other.sentAtMs) / 4);
  if (nowMs + ms <= notAfterMs) return { kind: 'wait', ms };
  const detail = 'Another worker is already looking this up.';
  const untilMs = Math.max(other.deadlineAtMs, nowMs + SECOND_MS);
  return { kind: 'end', result: { kind: 'waiting', reason: 'asked-by-another', untilMs, detail } };
}

/**
 * Waits some seconds for a batch that includes this company and is about to be sent. It does not wait for a sent batch,
 * because a search result has less data than a profile.
 */
function waitForBatch({ notAfterMs }: KeyedRequest, { untilMs }: Note, nowMs: number): LookUpStep {
  if (nowMs + FIRST_LOOK_MS <= notAfterMs) return { kind: 'wait', ms: FIRST_LOOK_MS };
  const detail = 'Another worker is about to look up this company in a batch.';
  return { kind: 'end', result: { kind: 'waiting', reason: 'asked-by-another', untilMs, detail } };
}

/** After this a sweep has marked an overdue request as in doubt: the longest lifetime of a function and the sweep's interval. */
const SWEPT_MS = 10 * MINUTE_MS;

/** The worker of the request is gone or about to store the outcome. Waiting here would only delay other work. */
export function overdue(nowMs: number, deadlineAtMs = nowMs): AskResult {
  const detail = 'An earlier request for this got no answer in time. The sweep will check it.';
  const untilMs = Math.max(deadlineAtMs + SWEPT_MS, nowMs + MINUTE_MS);
  return { kind: 'waiting', reason: 'asked-by-another', untilMs, detail };
}

export function doubtResult(questionKey: string): AskResult {
  const detail = 'An earlier request for this was sent, but no answer came back. It may have been charged.';
  return { kind: 'doubt', questionKey, detail };
}

/** @returns `undefined` if a part of the answer's record is gone. */
async function storedResult(
  services: GatewayServices,
  { key, question: { operation } }: KeyedRequest,
  answer: StoredAnswer,
): Promise<AskResult | undefined> {
  const { askedAtMs, expiresAtMs, kind } = answer;
  const forgotten = { kind: 'forgotten', questionKey: key, credits: 0 } as const;
  if (kind === 'forgotten') return forgotten;
  const answered = { questionKey: key, askedAtMs, expiresAtMs, credits: 0 };
  if (kind === 'no-match') return { kind, ...answered };
  const record = await unpackAnswer(services, answer);
  if (!record) return undefined;
  const known = await withoutForgotten(services, { key, operation }, { answer, record });
  return known ? { kind, record: known, ...answered } : forgotten;
}
