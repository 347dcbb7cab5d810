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

/** How soon an asker looks whether the one before it has got the answer; later, the longer that one is at it. */
const FIRST_LOOK_MS = 500;

/** Step 1: what a question's item allows, now. A fresh and wide enough answer costs nothing. */
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

/** While another asker is at it: look again, or give up when the time is over. */
function waitForOther({ notAfterMs }: KeyedRequest, other: Attempt, nowMs: number): LookUpStep {
  const ms = Math.max(FIRST_LOOK_MS, (nowMs - other.sentAtMs) / 4);
  if (nowMs + ms <= notAfterMs) return { kind: 'wait', ms };
  const detail = 'Another worker is asking this question.';
  const untilMs = Math.max(other.deadlineAtMs, nowMs + SECOND_MS);
  return { kind: 'end', result: { kind: 'waiting', reason: 'asked-by-another', untilMs, detail } };
}

/**
 * A batch that is about to be sent may ask about the same company: for those seconds it is waited for. One that was sent
 * is not, since a search tells less than a profile.
 */
function waitForBatch({ notAfterMs }: KeyedRequest, { untilMs }: Note, nowMs: number): LookUpStep {
  if (nowMs + FIRST_LOOK_MS <= notAfterMs) return { kind: 'wait', ms: FIRST_LOOK_MS };
  const detail = 'Another worker is about to ask about this company among others.';
  return { kind: 'end', result: { kind: 'waiting', reason: 'asked-by-another', untilMs, detail } };
}

/** After this a sweep has made an overdue request a doubt: the longest function's lifetime, and the sweep's interval. */
const SWEPT_MS = 10 * MINUTE_MS;

/** Its asker is gone, or about to tell: waiting for it here would only take time from other work. */
export function overdue(nowMs: number, deadlineAtMs = nowMs): AskResult {
  const detail = 'An earlier request for this is overdue; it will be looked into.';
  const untilMs = Math.max(deadlineAtMs + SWEPT_MS, nowMs + MINUTE_MS);
  return { kind: 'waiting', reason: 'asked-by-another', untilMs, detail };
}

export function doubtResult(questionKey: string): AskResult {
  const detail = 'An earlier request for this was sent, but no answer came back: it may have been charged.';
  return { kind: 'doubt', questionKey, detail };
}

/** @returns nothing where the answer's record is not to be had any more. */
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
