import { HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { assert, unreachable } from '../../kernel/errors.ts';
import type { AskResult } from '../asking-types.ts';
import type { GatewayDeps, KeyedRequest } from '../gateway-deps.ts';
import type { Asking, QuestionItem, StoredAnswer } from '../item.ts';
import type { CallResult } from '../paid-calls.ts';
import { priceOfAnswer, priceOfMiss, priceOfQuestion } from '../price.ts';
import { withAnswer } from '../stored-answers.ts';
import { bookLateVerdict, bookVerdict } from './book.ts';
import { type Kept, prepareAnswer, removeForgotten } from './keep-answer.ts';
import { doubtResult } from './look-up.ts';
import type { Sent } from './send-once.ts';

/** What a request's end proves: the charge, and the answer if there was one. */
interface Verdict {
  readonly asking: Asking;
  readonly kept?: Kept;
}

/**
 * Step 6: the verdict on the question's item first, then the vendor's rate, then the ledger. A crash in
 * between is finished by the next asker or by the sweep, from what the item says.
 */
export async function recordVerdict(
  deps: GatewayDeps,
  request: KeyedRequest,
  sent: Sent,
): Promise<AskResult | { kind: 'again' }> {
  const verdict = await verdictOf(deps, request, sent);
  await writeVerdict(deps, request, { sent, verdict });
  const kept = verdict.kept && (await removeForgotten(deps, request, verdict.kept));
  await accountForSlot(deps, verdict.asking.reservationId, sent.result);
  await bookVerdict(deps, verdict.asking);
  await deps.breakers.learn(sent.result, priceOfQuestion(request.question));
  return resultOf(deps, request, { kept, result: sent.result });
}

async function verdictOf(
  deps: GatewayDeps,
  request: KeyedRequest,
  { asking, item, result }: Sent,
): Promise<Verdict> {
  const settled = (credits: number, reason: string): Asking => ({
    ...asking,
    state: 'settled',
    charge: { credits, reason },
  });
  switch (result.kind) {
    case 'found': {
      const credits = priceOfAnswer(request.question, result.results);
      const kept = await prepareAnswer(deps, request, { asking, result, credits });
      return { asking: settled(credits, 'match'), kept };
    }
    case 'no-match': {
      const credits = priceOfMiss(request.question, deps.policy.noMatchCost);
      return {
        asking: settled(credits, 'no-match'),
        kept: { answer: missedAnswer(deps, { asking, item, credits }) },
      };
    }
    case 'declined':
      return { asking: settled(0, result.why) };
    case 'invalid':
    case 'not-sent':
      return { asking: settled(0, result.kind) };
    case 'unknown':
      return { asking: { ...asking, state: 'doubt' } };
    default:
      return unreachable(result);
  }
}

function missedAnswer(
  deps: GatewayDeps,
  { asking, item, credits }: { asking: Asking; item: QuestionItem; credits: number },
): StoredAnswer {
  const misses = (item.answer?.misses ?? 0) + 1;
  const { noMatchRetryMs } = deps.policy;
  const keepMs = noMatchRetryMs[Math.min(misses, noMatchRetryMs.length) - 1];
  assert(keepMs !== undefined, 'the policy says how long a miss is believed');
  const askedAtMs = asking.sentAtMs ?? deps.clock.now();
  return {
    kind: 'no-match',
    options: asking.options,
    askedAtMs,
    expiresAtMs: askedAtMs + keepMs,
    credits,
    misses,
  };
}

/**
 * Normally one conditional write. Where the sweep came between and called this asking a doubt, the proof beats the
 * doubt. Where the doubt was resolved meanwhile, the verdict has no place left on the item: its charge is booked
 * first, since nothing else would tell of it, and then only the answer is kept.
 */
async function writeVerdict(
  deps: GatewayDeps,
  request: KeyedRequest,
  { sent, verdict }: Written,
): Promise<void> {
  const answer = verdict.kept?.answer;
  let current = { value: sent.item, version: sent.version };
  let booked = false;
  for (;;) {
    const open = isOpen(current.value.asking, verdict.asking.fence);
    if (!open && !booked) await bookLateVerdict(deps, request, verdict.asking);
    booked ||= !open;
    if (!open && !answer) return;
    const value: QuestionItem = {
      ...current.value,
      ...(open && { asking: verdict.asking }),
      ...(answer && withAnswer(current.value, answer, deps.clock.now())),
    };
    const written = await deps.items.write({ key: request.key, value, expectedVersion: current.version });
    if (written === 'written') return;
    const stored = await deps.items.read(request.key);
    assert(stored, 'a question that was asked has an item');
    current = stored;
  }
}

interface Written {
  readonly sent: Sent;
  readonly verdict: Verdict;
}

function isOpen(asking: Asking | undefined, fence: number): boolean {
  return asking?.fence === fence && (asking.state === 'sent' || asking.state === 'doubt');
}

async function accountForSlot(deps: GatewayDeps, id: string, result: CallResult): Promise<void> {
  if (result.kind === 'not-sent' || result.kind === 'invalid') return deps.governor.giveBack(id);
  // No answer: the slot stays taken until a minute after the request's deadline.
  if (result.kind === 'unknown') return;
  const limited = result.kind === 'declined' && result.why === 'rate-limited';
  await deps.governor.answered({ id, report: result.report, limited });
}

function resultOf(
  deps: GatewayDeps,
  { key }: KeyedRequest,
  { kept, result }: { kept: Kept | undefined; result: CallResult },
): AskResult | { kind: 'again' } {
  if (kept) return answerResult(key, kept);
  if (result.kind === 'not-sent') return waiting(deps, 'service-unreachable', MINUTE_MS, result.reason);
  if (result.kind === 'invalid') return { kind: 'rejected', questionKey: key, detail: result.reason };
  if (result.kind !== 'declined') return doubtResult(key);
  switch (result.why) {
    case 'rate-limited':
      return { kind: 'again' };
    case 'bad-request':
      return { kind: 'rejected', questionKey: key, detail: result.reason };
    case 'key-refused':
      return waiting(deps, 'key-refused', 15 * MINUTE_MS, result.reason);
    case 'out-of-credits':
      return waiting(deps, 'out-of-credits', HOUR_MS, result.reason);
    default:
      return unreachable(result.why);
  }
}

function answerResult(questionKey: string, { answer, record }: Kept): AskResult {
  const { credits, askedAtMs, expiresAtMs } = answer;
  if (answer.kind === 'forgotten') return { kind: 'forgotten', questionKey, credits };
  const answered = { questionKey, askedAtMs, expiresAtMs, credits };
  return record ? { kind: 'found', record, ...answered } : { kind: 'no-match', ...answered };
}

type Waiting = Extract<AskResult, { kind: 'waiting' }>;

function waiting(deps: GatewayDeps, reason: Waiting['reason'], ms: number, detail: string): Waiting {
  return { kind: 'waiting', reason, untilMs: deps.clock.now() + ms, detail };
}
