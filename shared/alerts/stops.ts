import type { ObjectType } from '#shared/crm/crm-record.ts';
import { MINUTE_MS } from '#shared/kernel/clock.ts';
import type { BreakerState } from '#shared/questions/schemas.ts';
import { STOP_SENTENCES } from '#shared/questions/stop-sentences.ts';

const WRITES_REFUSED = 'writes-refused-';

/** What keeps records from being enriched until somebody does something, or until it passes. */
export type Stop = keyof typeof STOP_SENTENCES | `${typeof WRITES_REFUSED}${ObjectType}`;

/**
 * Whoever waits for the key tries it when it is time to. Once another key works, nobody does, and what is known of the
 * old one grows old.
 */
const KEY_NEWS_MS = 15 * MINUTE_MS;

export function stopsOf(
  { keyRefused, outOfCredits, doubtful }: BreakerState,
  { nowMs, refusedTypes }: { readonly nowMs: number; readonly refusedTypes: readonly ObjectType[] },
): Stop[] {
  return [
    ...(isRefusedNow(keyRefused, nowMs) ? [keyRefused?.why ?? ('key-refused' as const)] : []),
    ...(outOfCredits ? (['out-of-credits'] as const) : []),
    ...(doubtful ? (['too-many-doubts'] as const) : []),
    ...refusedTypes.map((type) => `${WRITES_REFUSED}${type}` as const),
  ];
}

export function isRefusedNow(keyRefused: BreakerState['keyRefused'], nowMs: number): boolean {
  return keyRefused !== undefined && nowMs < keyRefused.probeAtMs + KEY_NEWS_MS;
}

const ADVICE: Readonly<Record<keyof typeof STOP_SENTENCES, string>> = {
  'key-refused': 'Put a working key into its secret; what waits is asked about then.',
  'wrong-address': 'What waits is asked about once the address is right.',
  'out-of-credits': 'Buy credits; it is tried again within the hour.',
  'too-many-doubts': 'It goes on by itself with the first answer.',
};

export function sentenceOfStop(stop: Stop): string {
  return `Stopped: ${reasonOf(stop)} ${adviceOf(stop)}`;
}

/** @param stop a `Stop`, as it was stored */
export function endOfStop(stop: string): string {
  return `No longer stopped: ${reasonOf(stop)}`;
}

function adviceOf(stop: Stop): string {
  return isOfDataService(stop)
    ? ADVICE[stop]
    : 'Nothing more is bought for them; queue status and the runbook say what to do.';
}

function reasonOf(stop: string): string {
  if (isOfDataService(stop)) return STOP_SENTENCES[stop].replace('this question', 'every question');
  return `HubSpot refuses what was bought for ${stop.slice(WRITES_REFUSED.length)}.`;
}

function isOfDataService(stop: string): stop is keyof typeof STOP_SENTENCES {
  return Object.hasOwn(STOP_SENTENCES, stop);
}
