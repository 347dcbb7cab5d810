import { SECOND_MS } from '../../kernel/clock.ts';
import { assert } from '../../kernel/errors.ts';
import type { AskResult } from '../asking-types.ts';
import type { GatewayDeps, KeyedRequest } from '../gateway-deps.ts';
import type { Asking, QuestionItem, StoredAnswer } from '../item.ts';
import { answerFor } from '../stored-answers.ts';
import { laneOf } from './lane.ts';

export type Step =
  | { readonly kind: 'end'; readonly result: AskResult }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'ask' };

/** How often an asker looks whether the one before it has got the answer. */
const POLL_MS = 500;

/** Step 1: what a question's item allows, now. A fresh and wide enough answer costs nothing. */
export function lookUp(deps: GatewayDeps, request: KeyedRequest, item: QuestionItem | undefined): Step {
  const nowMs = deps.clock.now();
  const answer = answerFor(item, { options: request.question.options, nowMs });
  if (answer) {
    return { kind: 'end', result: storedResult(deps, { questionKey: request.key, answer, credits: 0 }) };
  }
  const asking = item?.asking;
  if (!asking || asking.state === 'settled') return { kind: 'ask' };
  if (asking.state === 'doubt') return { kind: 'end', result: doubtResult(request.key) };
  if (asking.state === 'leased' && (nowMs >= asking.leaseUntilMs || givesWay(asking, request)))
    return { kind: 'ask' };
  return waitForOther(deps, request, asking);
}

/** While another asker is at it: look again soon, or give up when the time is over. */
export function waitForOther(
  { clock }: Pick<GatewayDeps, 'clock'>,
  request: KeyedRequest,
  other: Asking,
): Step {
  const nowMs = clock.now();
  if (nowMs + POLL_MS <= request.notAfterMs) return { kind: 'wait', ms: POLL_MS };
  const detail = 'Another worker is asking this question.';
  const untilMs = Math.max(other.deadlineAtMs ?? other.leaseUntilMs, nowMs + SECOND_MS);
  return { kind: 'end', result: { kind: 'waiting', reason: 'asked-by-another', untilMs, detail } };
}

/** Bulk work that has sent nothing yet lets live work go first. */
function givesWay(asking: Asking, { purpose }: KeyedRequest): boolean {
  return laneOf(asking.purpose) === 'bulk' && laneOf(purpose) === 'live';
}

export function doubtResult(questionKey: string): AskResult {
  const detail = 'An earlier request for this was sent, but no answer came back: it may have been charged.';
  return { kind: 'doubt', questionKey, detail };
}

/** @param credits what the asking that wants the result was charged for it. */
export function storedResult(
  deps: GatewayDeps,
  { questionKey, answer, credits }: { questionKey: string; answer: StoredAnswer; credits: number },
): AskResult {
  const { askedAtMs, expiresAtMs } = answer;
  const answered = { questionKey, askedAtMs, expiresAtMs, credits };
  if (answer.kind === 'no-match') return { kind: 'no-match', ...answered };
  const record = deps.packing.unpack(answer.packed ?? '');
  assert(record !== null && typeof record === 'object', 'a stored answer is a record');
  return { kind: 'found', record: { ...record }, ...answered };
}
