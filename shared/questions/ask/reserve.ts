import type { Appended } from '#shared/credit-ledger/ledger.ts';
import type { Decision, LedgerCommand } from '#shared/credit-ledger/next-entry.ts';
import { MINUTE_MS } from '#shared/kernel/clock.ts';
import type { AskResult } from '../ask-result.ts';
import type { GatewayServices, KeyedRequest } from '../gateway-services.ts';
import { priceOfQuestion } from '../price.ts';
import { type Held, releaseLease } from './held.ts';

/** Step 3: sets the worst-case credits aside, or says which budget forbids it and when that one opens again. */
export async function reserveCredits(
  services: GatewayServices,
  request: KeyedRequest,
  held: Held,
): Promise<Held | AskResult> {
  const { reservationId } = held.item.attempt;
  const appended = await services.ledger.apply(reservation(request, reservationId));
  const refused = refusalResult(appended, services.clock.now());
  if (!refused) return held;
  await releaseLease(services, held.item);
  return refused;
}

/** What the books would say to a reservation now; nothing is written. */
export async function refusedByBooks(
  services: GatewayServices,
  request: KeyedRequest,
): Promise<AskResult | undefined> {
  return refusalResult(await services.ledger.preview(reservation(request, '')), services.clock.now());
}

function reservation(
  { key: questionKey, purpose, question }: KeyedRequest,
  reservationId: string,
): Extract<LedgerCommand, { kind: 'reserve' }> {
  const { operation } = question;
  const amountCredits = priceOfQuestion(question);
  return { kind: 'reserve', reservationId, questionKey, operation, purpose, amountCredits };
}

/** What the books' refusal means to the asker; `undefined` where they do not refuse. */
function refusalResult(answer: Appended | Decision, nowMs: number): AskResult | undefined {
  if (answer.kind === 'over-budget') {
    const { budget, limitCredits, leftCredits, resetsAtMs } = answer.budget;
    const detail = `Budget ${budget} of ${limitCredits} credits has ${Math.max(0, leftCredits)} left.`;
    return { kind: 'waiting', reason: 'budget', untilMs: resetsAtMs, detail };
  }
  if (answer.kind === 'too-many-open') {
    const detail = 'Too many reservations and doubts are open; resolve the doubts first.';
    return { kind: 'waiting', reason: 'too-many-open', untilMs: nowMs + 5 * MINUTE_MS, detail };
  }
  return undefined;
}
