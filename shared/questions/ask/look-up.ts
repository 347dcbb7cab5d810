import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { AskResult } from '../ask-result.ts';
import { withoutForgotten } from '../finish-answer.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import type { Attempt, QuestionItem, StoredAnswer } from '../schemas.ts';
import { answerFor, unpackAnswer } from '../stored-answers.ts';

import { obstacle } from '../transitions.ts';

export type LookUpStep =
  | { readonly kind: 'end'; readonly result: AskResult }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'ask' };

/** First pause before the item is read again, while another worker looks the question up. Later pauses are longer. */
const FIRST_LOOK_MS = 500;

/**
 * Step 1: decides by the question's item. If the item has a fresh answer with all wanted options, this answer is the
 * result, at no cost.
 */
export async function lookUp(
  services: GatewayServices,
  request: KeyedRequest,
  item: QuestionItem | undefined,
): Promise<LookUpStep> {
  const nowMs = services.clock.now();
  const answer = answerFor(item, { options: request.question.options, nowMs });
  if (answer) return { kind: 'end', result: await storedResult(services, request, answer) };
  const attempt = item?.attempt;
  const openState = obstacle(attempt);
  if (!attempt || !openState) return { kind: 'ask' };
  if (openState === 'in-doubt') return { kind: 'end', result: doubtResult(request.key) };
  return nowMs >= attempt.deadlineAtMs
    ? { kind: 'end', result: overdue(nowMs, attempt.deadlineAtMs) }
    : waitForOther(request, attempt, nowMs);
}

/** Waits while another worker looks the question up, or ends when the caller's time is over. */
function waitForOther({ notAfterMs }: KeyedRequest, other: Attempt, nowMs: number): LookUpStep {
  const ms = Math.max(FIRST_LOOK_MS, (nowMs - other.sentAtMs) / 4);
  if (nowMs + ms <= notAfterMs) return { kind: 'wait', ms };
  const detail = 'Another worker is already looking this up.';
  const untilMs = Math.max(other.deadlineAtMs, nowMs + SECOND_MS);
  return { kind: 'end', result: { kind: 'waiting', reason: 'asked-by-another', untilMs, detail } };
}

/**
 * Time until a sweep has marked an overdue request as in doubt: the longest lifetime of a function plus the sweep's
 * interval.
 */
const SWEPT_MS = 10 * MINUTE_MS;

/**
 * The request's deadline is over. Its worker has ended or is about to store the outcome, so a wait here would only
 * delay other work.
 */
function overdue(nowMs: number, deadlineAtMs = nowMs): AskResult {
  const detail = 'An earlier request for this got no answer in time. The sweep will check it.';
  const untilMs = Math.max(deadlineAtMs + SWEPT_MS, nowMs + MINUTE_MS);
  return { kind: 'waiting', reason: 'asked-by-another', untilMs, detail };
}

export function doubtResult(questionKey: string): Extract<AskResult, { kind: 'doubt' }> {
  const detail = 'A request for this was sent, and its outcome is unknown. It may have been charged.';
  return { kind: 'doubt', questionKey, detail };
}

async function storedResult(
  services: GatewayServices,
  { key, question: { operation } }: KeyedRequest,
  answer: StoredAnswer,
): Promise<AskResult> {
  const { askedAtMs, expiresAtMs, kind, isCut } = answer;
  const forgotten = { kind: 'forgotten', questionKey: key, credits: 0 } as const;
  if (kind === 'forgotten') return forgotten;
  const answered = { questionKey: key, askedAtMs, expiresAtMs, credits: 0 };
  if (kind === 'no-match') return { kind, ...answered };
  const record = unpackAnswer(services, answer);
  const known = record && (await withoutForgotten(services, { key, operation }, { answer, record }));
  return known ? { kind, record: known, isCut, ...answered } : forgotten;
}
