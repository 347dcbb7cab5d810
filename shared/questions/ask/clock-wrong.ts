import { isClockWrong, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import type { AskResult } from '../ask-result.ts';
import type { GatewayServices } from '../gateway-services.ts';

/** A machine with a wrong clock spends nothing, because it would use another day's budget and another minute's rate. */
export function clockWrong({
  storeClock,
  clock,
}: Pick<GatewayServices, 'storeClock' | 'clock'>): (AskResult & { kind: 'waiting' }) | undefined {
  return isClockWrong(storeClock) ? clockWrongResult({ storeClock, clock }) : undefined;
}

export function clockWrongResult({
  storeClock,
  clock,
}: Pick<GatewayServices, 'storeClock' | 'clock'>): AskResult & { kind: 'waiting' } {
  const offsetMs = storeClock?.offsetMs() ?? 0;
  const offset = `${Math.round(Math.abs(offsetMs) / SECOND_MS)} s ${offsetMs < 0 ? 'behind' : 'ahead of'}`;
  const detail = `The clock of this machine is ${offset} the store's. Nothing is spent until it is correct.`;
  return { kind: 'waiting', reason: 'clock-wrong', untilMs: clock.now() - offsetMs + MINUTE_MS, detail };
}
