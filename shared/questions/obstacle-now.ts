import type { AskRequest, AskResult } from './ask-result.ts';
import { passage } from './breaker-transitions.ts';
import type { GatewayServices } from './gateway-services.ts';
import { doubtResult, refusedBeforehand, refusedByBreaker } from './purchase.ts';
import { priceOfQuestion, questionKey } from './question.ts';
import { questionKind } from './stored-kinds.ts';
import { obstacle } from './transitions.ts';

type ObstacleServices = Pick<GatewayServices, 'ledger' | 'clock' | 'digest' | 'policy'> & {
  readonly items: Pick<GatewayServices['items'], 'read'>;
  readonly breakers: Pick<GatewayServices['breakers'], 'read'>;
};

/**
 * Returns what would keep a new lookup from being sent now: an earlier request in doubt, a stop, or a budget.
 * `undefined` if nothing is known. Reads only, and takes no probe.
 */
export async function obstacleNow(
  services: ObstacleServices,
  asked: Pick<AskRequest, 'question' | 'purpose' | 'askedBy'>,
): Promise<Extract<AskResult, { kind: 'doubt' | 'waiting' }> | undefined> {
  const { question } = asked;
  const { testCreditsPerHour } = services.policy;
  const nowMs = services.clock.now();
  const key = questionKey(question, services.digest);
  const attempt = (await services.items.read(questionKind.key(key)))?.value.attempt;
  if (attempt && obstacle(attempt) === 'in-doubt')
    return { ...doubtResult(key), deadlineAtMs: attempt.deadlineAtMs };
  const state = await services.breakers.read();
  const { keyHash = '' } = state.keyRefused ?? {};
  const wish = { priceCredits: priceOfQuestion(question), keyHash, nowMs, testCreditsPerHour };
  const passed = passage(state, wish);
  if (passed.kind === 'refused') return refusedByBreaker(passed);
  return refusedBeforehand(services, { ...asked, key, notAfterMs: nowMs });
}
