import type { BackfillSummary } from '#shared/enrichment/backfill/summary.ts';

import type { SpendRow } from './schemas.ts';
import type { Planned } from './ways.ts';
import { costOfOne, type WhoWaits } from './who-waits.ts';

interface KnownToCome {
  readonly rows: readonly SpendRow[];
  readonly backfills?: readonly BackfillSummary[] | undefined;
  readonly waiting?: WhoWaits | undefined;
}

/** Credits that are known to come besides the daily pace: what running backfills have left, and imports that wait. */
export function plannedOf({ rows, backfills = [], waiting }: KnownToCome): Planned {
  const running = backfills.filter(({ state }) => state === 'canary' || state === 'running');
  const left = (end: 'low' | 'high') =>
    running.reduce((sum, { afterCanary, quote, spent }) => {
      const range = afterCanary ?? quote;
      return sum + Math.max(0, (range?.[end] ?? 0) - spent);
    }, 0);
  const masses =
    waiting?.inTurn.filter(({ purpose }) => purpose === 'import' || purpose === 'workflow') ?? [];
  const waits = masses.reduce((sum, { purpose, records }) => sum + records * costOfOne(rows, purpose), 0);
  return { lowCredits: left('low') + waits, highCredits: left('high') + waits };
}
