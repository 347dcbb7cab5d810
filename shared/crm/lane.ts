import type { Purpose } from './purpose.ts';

export const LANES = ['live', 'bulk'] as const;
/** Live work goes before bulk work everywhere: in the queues, at the vendor's rate, in what is left of HubSpot's limit. */
export type Lane = (typeof LANES)[number];

/** Somebody waits for live work and for what a person asks by hand; refresh and backfill take what is left. */
export function laneOf(purpose: Purpose): Lane {
  return purpose === 'live' || purpose === 'manual' ? 'live' : 'bulk';
}

const URGENCY: Readonly<Record<Purpose, number>> = { manual: 3, live: 2, refresh: 1, backfill: 0 };

/** Of two reasons to work on a record, the one for which somebody waits more. */
export function moreUrgent(a: Purpose, b: Purpose): Purpose {
  return URGENCY[a] >= URGENCY[b] ? a : b;
}
