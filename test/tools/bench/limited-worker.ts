import type { RateLimiterState } from '#inside/rate-limiter/schemas.ts';
import type { Lane } from '#shared/crm';
import type { Send } from '#shared/http';
import type { Clock, Random } from '#shared/kernel';
import type { Question } from '#shared/questions';
import { createRateLimiter } from '#shared/rate-limiter';
import type { VersionedItems } from '#shared/store';
import { VENDORS } from '#shared/vendor';
import { openVendor } from '#shared/vendor/adapters';
import { SERVICE_URL } from './observed-service.ts';

export interface WorkerWish {
  readonly name: string;
  readonly items: VersionedItems<RateLimiterState>;
  readonly send: Send;
  readonly clock: Clock;
  readonly random: Random;
}

export interface AskWish {
  readonly id: string;
  readonly lane: Lane;
  readonly question: Question;
  /** The latest useful time of a slot. */
  readonly notAfterMs: number;
}

const TIMEOUT_MS = 30_000;

/** The rate limiter and the client of the ask gateway, without its books. */
export function createGovernedWorker({ name, items, send, clock, random }: WorkerWish) {
  const rateLimiter = createRateLimiter({ vendor: VENDORS[0], items, worker: name, clock, random });
  const vendor = openVendor({
    baseUrl: SERVICE_URL,
    apiKey: 'sandbox-key',
    send,
    clock,
    random,
    timeoutMs: TIMEOUT_MS,
  });
  return {
    /** @returns the wait for its slot, in milliseconds; `undefined` if there was none in time. */
    ask: async ({ id, lane, question, notAfterMs }: AskWish): Promise<number | undefined> => {
      const askedAt = clock.monotonic();
      const slot = await rateLimiter.acquire({ id, lane, requestTimeoutMs: TIMEOUT_MS, notAfterMs });
      if (slot.kind !== 'granted') return undefined;
      const waitedMs = clock.monotonic() - askedAt;
      const result = await vendor.ask(question, { timeoutMs: TIMEOUT_MS });
      const limited = result.kind === 'declined' && result.why === 'rate-limited';
      const report = 'report' in result ? result.report : undefined;
      await rateLimiter.complete({ id, report, limited });
      return waitedMs;
    },
  };
}
