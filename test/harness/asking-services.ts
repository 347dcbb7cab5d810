import { breakerItems, questions } from '#shared/app';
import type { Policy } from '#shared/field-policy';
import {
  type Clock,
  correctedClock,
  type Digest,
  type NewId,
  type Random,
  type ReferenceClock,
} from '#shared/kernel';
import { createBreakers, type GatewayServices } from '#shared/questions';
import type { Store } from '#shared/store';

export interface AskingWish {
  readonly store: Store;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly referenceClock?: ReferenceClock | undefined;
  readonly random: Random;
  readonly newId: NewId;
  readonly digest: Digest;
  readonly requestTimeoutMs: number;
  readonly vendor: GatewayServices['vendor'];
  readonly keyCheck: Parameters<typeof createBreakers>[0]['vendor'];
  /** Names the API key in use. */
  readonly keyHash: string;
}

/** The services of the ask gateway as the product opens them, with another vendor behind them. */
export function askingServices({ vendor, keyCheck, keyHash, ...wish }: AskingWish) {
  const { requestTimeoutMs } = wish;
  const settings = {
    ...wish,
    clock: correctedClock(wish.clock, wish.referenceClock),
    dataService: { baseUrl: 'http://data-service.test', apiKey: 'not-used' },
    send: () => Promise.reject(new Error('Only the given vendor is asked.')),
    logger: { info: ignore, warn: ignore, error: ignore },
  };
  const { testCreditsPerHour } = settings.policy;
  const services = questions(settings);
  const { rateLimiter, clock } = services;
  const items = breakerItems(settings);
  const breakers = createBreakers({
    mark: '',
    items,
    keyHash,
    vendor: keyCheck,
    rateLimiter,
    clock,
    requestTimeoutMs,
    testCreditsPerHour,
  });
  return { ...services, vendor, breakers };
}

const ignore = () => undefined;
