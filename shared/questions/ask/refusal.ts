import type { Decision } from '../../credit-ledger/next-entry.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { AskResult } from '../asking-types.ts';

/** What the books' refusal means to the asker; `undefined` where they do not refuse. */
export function refusalResult(
  decision: Pick<Decision, 'kind'> & Partial<Decision>,
  nowMs: number,
): AskResult | undefined {
  if (decision.kind === 'over-budget' && 'budget' in decision && decision.budget) {
    const { budget, limitCredits, leftCredits, resetsAtMs } = decision.budget;
    const detail = `Budget ${budget} of ${limitCredits} credits has ${Math.max(0, leftCredits)} left.`;
    return { kind: 'waiting', reason: 'budget', untilMs: resetsAtMs, detail };
  }
  if (decision.kind === 'too-many-open') {
    const detail = 'Too many reservations and doubts are open; resolve the doubts first.';
    return { kind: 'waiting', reason: 'too-many-open', untilMs: nowMs + 5 * MINUTE_MS, detail };
  }
  return undefined;
}
