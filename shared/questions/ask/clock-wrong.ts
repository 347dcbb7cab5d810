import { MINUTE_MS, SECOND_MS } from '#shared/kernel/clock.ts';
import { isClockWrong } from '#shared/versioned-items/store-clock.ts';
import type { AskResult } from '../ask-result.ts';
import type { GatewayServices } from '../gateway-services.ts';

/** A machine whose clock is wrong would count in another day's budget and another minute's rate: it spends nothing. */
export function clockWrong({
  storeClock,
  clock,
}: Pick<GatewayServices, 'storeClock' | 'clock'>): (AskResult & { kind: 'waiting' }) | undefined {
  if (!storeClock || !isClockWrong(storeClock)) return undefined;
  const offsetMs = storeClock.offsetMs();
  const off = `${Math.round(Math.abs(offsetMs) / SECOND_MS)} s ${offsetMs < 0 ? 'behind' : 'ahead of'}`;
  const detail = `The clock of this machine is ${off} the store's: nothing is spent until it is right.`;
  return { kind: 'waiting', reason: 'clock-wrong', untilMs: clock.now() - offsetMs + MINUTE_MS, detail };
}
