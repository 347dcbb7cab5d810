import type { Send } from '#shared/http';
import type { Clock, Random } from '#shared/kernel';
import { createStandInSend } from '../../../infra/local/virtual/stand-in-send.ts';
import {
  createDataServiceSandbox,
  type DataServiceSandbox,
} from '../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { skewed } from '../../harness/skewed-clock.ts';

export const SERVICE_URL = 'https://data.example';
/** Requests a minute, from the specification. */
export const LIMIT = 20;
/** The service's clock differs from ours. */
const SERVICE_OFFSET_MS = 37_400;
/** Longest time on the way before a request is counted. */
const TRANSIT_MS = 20;

export interface ServiceWish {
  readonly clock: Clock;
  readonly random: Random;
  /** Approximate time from sending to the answer. */
  readonly latencyMs: number;
}

export interface User {
  readonly send: Send;
  /** Number of requests that were answered with 429. */
  readonly refused: () => number;
}

export interface ObservedService {
  readonly world: DataServiceSandbox['world'];
  /** Times at which requests were counted, in epoch milliseconds, oldest first. */
  readonly admitted: readonly number[];
  /** Opens a connection for one user of the key. */
  user(): User;
}

/** The stand-in with its own rate limiter behind a network, and a list of the accepted requests. */
export function createObservedService(wish: ServiceWish): ObservedService {
  const { clock, random } = wish;
  const { world, handle } = standIn(wish);
  const admitted: number[] = [];
  return {
    world,
    admitted,
    user: () => {
      let refused = 0;
      const observed = async (request: Request) => {
        await clock.sleep(random() * TRANSIT_MS);
        const atMs = clock.now();
        const response = await handle(request);
        if (response.status === 429) refused += 1;
        else admitted.push(atMs);
        return response;
      };
      const hosts = { [new URL(SERVICE_URL).host]: observed };
      return { send: createStandInSend({ clock, hosts }), refused: () => refused };
    },
  };
}

function standIn({ clock, latencyMs }: ServiceWish): DataServiceSandbox {
  const settings = {
    rateAlgorithm: 'sliding',
    rateLimitPerMinute: LIMIT,
    latencyMs: Math.max(0, latencyMs - TRANSIT_MS / 2),
    creditBalance: 10_000_000,
  } as const;
  return createDataServiceSandbox({ clock: skewed(clock, SERVICE_OFFSET_MS), settings });
}
