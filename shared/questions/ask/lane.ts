import type { Purpose } from '../../credit-ledger/entries.ts';
import type { Lane } from '../../rate-governor/state.ts';

/** Somebody waits for live work and for what a person asks by hand; refresh and backfill take what is left. */
export function laneOf(purpose: Purpose): Lane {
  return purpose === 'live' || purpose === 'manual' ? 'live' : 'bulk';
}
