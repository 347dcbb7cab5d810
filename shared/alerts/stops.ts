import type { ObjectType } from '#shared/crm';
import { type BreakerState, STOP_SENTENCES, withoutOldKey } from '#shared/questions';
import { remedyFor } from '#shared/spend';

const WRITES_REFUSED = 'writes-refused-';

/** What keeps records from being enriched until somebody does something, or until it passes. */
export type Stop = keyof typeof STOP_SENTENCES | `${typeof WRITES_REFUSED}${ObjectType}`;

export function stopsOf(
  breakers: BreakerState,
  { nowMs, refusedTypes }: { readonly nowMs: number; readonly refusedTypes: readonly ObjectType[] },
): Stop[] {
  const { keyRefused, outOfCredits, overcharged, doubtful, stopped } = withoutOldKey(breakers, nowMs);
  return [
    ...(stopped ? (['stopped-by-person'] as const) : []),
    ...(keyRefused ? [keyRefused.why ?? ('key-refused' as const)] : []),
    ...(outOfCredits ? (['out-of-credits'] as const) : []),
    ...(overcharged ? (['charges-above-list'] as const) : []),
    ...(doubtful ? (['too-many-doubts'] as const) : []),
    ...refusedTypes.map((type) => `${WRITES_REFUSED}${type}` as const),
  ];
}

export function sentenceOfStop(stop: Stop, stack: string): string {
  const kind = isOfDataService(stop) ? stop : 'writes-refused';
  return `Stopped: ${reasonOf(stop)} ${remedyFor(kind, stack).whatToDo}`;
}

/** @param stop a `Stop`, as it was stored */
export function endOfStop(stop: string): string {
  return `No longer stopped: ${reasonOf(stop)}`;
}

function reasonOf(stop: string): string {
  if (isOfDataService(stop)) return STOP_SENTENCES[stop].replace('this question', 'every question');
  return `HubSpot refuses what was bought for ${stop.slice(WRITES_REFUSED.length)}.`;
}

function isOfDataService(stop: string): stop is keyof typeof STOP_SENTENCES {
  return Object.hasOwn(STOP_SENTENCES, stop);
}
