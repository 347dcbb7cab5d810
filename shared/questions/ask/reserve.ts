import type { AskResult } from '../asking-types.ts';
import type { GatewayDeps, KeyedRequest } from '../gateway-deps.ts';
import { type Leased, releaseLease } from './leased.ts';
import { refusalResult } from './refusal.ts';

/** Step 3: sets the worst-case credits aside, or says which budget forbids it and when that one opens again. */
export async function reserveCredits(
  deps: GatewayDeps,
  request: KeyedRequest,
  leased: Leased,
): Promise<Leased | AskResult> {
  const appended = await deps.ledger.apply({
    kind: 'reserve',
    reservationId: leased.asking.reservationId,
    questionKey: request.key,
    operation: request.question.operation,
    purpose: request.purpose,
    amountCredits: leased.asking.worstCaseCredits,
  });
  const refused = appended.kind === 'appended' ? undefined : refusalResult(appended, deps.clock.now());
  if (!refused) return leased;
  await releaseLease(deps, leased);
  return refused;
}
