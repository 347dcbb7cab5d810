import { HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { assert, unreachable } from '../../kernel/errors.ts';
import type { AskResult } from '../asking-types.ts';
import type { GatewayDeps, KeyedRequest } from '../gateway-deps.ts';
import type { Asking, QuestionItem, StoredAnswer } from '../item.ts';
import type { CallResult } from '../paid-calls.ts';
import { priceOfAnswer, priceOfMiss, priceOfQuestion } from '../price.ts';
import { withAnswer } from '../stored-answers.ts';
import { bookLateVerdict, bookVerdict } from './book.ts';
import { doubtResult, storedResult } from './look-up.ts';
import type { Sent } from './send-once.ts';

/** What a request's end proves: the charge, and the answer if there was one. */
interface Verdict {
  readonly asking: Asking;
  readonly answer?: StoredAnswer;
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
  const verdict = verdictOf(deps, request, sent);
  await writeVerdict(deps, request, { sent, verdict });
  await accountForSlot(deps, verdict.asking.reservationId, sent.result);
  await bookVerdict(deps, verdict.asking);
  await deps.breakers.learn(sent.result, priceOfQuestion(request.question));
  return resultOf(deps, request, { verdict, result: sent.result });
}

function verdictOf(deps: GatewayDeps, request: KeyedRequest, { asking, item, result }: Sent): Verdict {
  const settled = (credits: number, reason: string): Asking => ({
    ...asking,
    state: 'settled',
    charge: { credits, reason },
  });
  switch (result.kind) {
    case 'found': {
      const credits = priceOfAnswer(request.question, result.results);
      return {
        asking: settled(credits, 'match'),
        answer: foundAnswer(deps, request, { asking, result, credits }),
      };
    }
    case 'no-match': {
      const credits = priceOfMiss(request.question, deps.policy.noMatchCost);
      return { asking: settled(credits, 'no-match'), answer: missedAnswer(deps, { asking, item, credits }) };
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

function foundAnswer(
  deps: GatewayDeps,
  { question }: KeyedRequest,
  { asking, result, credits }: { asking: Asking; result: CallResult & { kind: 'found' }; credits: number },
): StoredAnswer {
  const askedAtMs = asking.sentAtMs ?? deps.clock.now();
  const expiresAtMs = askedAtMs + deps.policy.freshnessMs[question.operation];
  const packed = deps.packing.pack(result.record);
  return { kind: 'found', options: question.options, askedAtMs, expiresAtMs, credits, misses: 0, packed };
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
  let current = { value: sent.item, version: sent.version };
  let booked = false;
  for (;;) {
    const open = isOpen(current.value.asking, verdict.asking.fence);
    if (!open && !booked) await bookLateVerdict(deps, request, verdict.asking);
    booked ||= !open;
    if (!open && !verdict.answer) return;
    const value: QuestionItem = {
      ...current.value,
      ...(open && { asking: verdict.asking }),
      ...(verdict.answer && withAnswer(current.value, verdict.answer, deps.clock.now())),
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
  { verdict, result }: { verdict: Verdict; result: CallResult },
): AskResult | { kind: 'again' } {
  if (verdict.answer) {
    const { answer } = verdict;
    return storedResult(deps, { questionKey: key, answer, credits: answer.credits });
  }
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

type Waiting = Extract<AskResult, { kind: 'waiting' }>;

function waiting(deps: GatewayDeps, reason: Waiting['reason'], ms: number, detail: string): Waiting {
  return { kind: 'waiting', reason, untilMs: deps.clock.now() + ms, detail };
}
