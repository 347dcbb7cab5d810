import { estimate, worstOf } from './estimate.ts';
import type { Backfill } from './schemas.ts';
import { type Band, doesDamage, leavesBand } from './stop-rules.ts';
import { type CanarySize, LIVING, nextPlaces, paused, spentOf } from './transitions.ts';

export interface CanaryRules {
  readonly canary: CanarySize;
  readonly band: Band;
}

/** Decides by the counts: the range after the canary, a stop by a rule, or the end with its score. */
export function judged(backfill: Backfill, { canary, band }: CanaryRules, nowMs: number): Backfill {
  if (!LIVING.has(backfill.state)) return backfill;
  const stop = stopBy(backfill, band);
  if (stop) return paused(backfill, { ...stop, atMs: nowMs });
  const isAllIn = nextPlaces(backfill, canary, Number.MAX_SAFE_INTEGER).every((count) => count === 0);
  if (!isAllIn || backfill.outstanding.length > 0) return backfill;
  if (backfill.state === 'running') return done(backfill, nowMs);
  return canaryEnded(backfill, nowMs);
}

function canaryEnded(backfill: Backfill, nowMs: number): Backfill {
  const afterCanary = estimate(backfill.strata);
  const known = { ...backfill, afterCanary };
  if (backfill.strata.every(({ records, letIn }) => letIn >= records)) return done(backfill, nowMs);
  const { agreedBeforehand, quote } = backfill;
  // A lower cost is within the agreed quote, and free answers need no consent.
  const isInside = agreedBeforehand && quote !== undefined && afterCanary.high <= quote.high;
  const isPaid = worstOf(backfill.strata) === spentOf(backfill);
  return { ...known, state: isInside || isPaid ? 'running' : 'approval' };
}

function done(backfill: Backfill, nowMs: number): Backfill {
  const spent = spentOf(backfill);
  // A backfill no larger than its canary is scored by its quote.
  const { low, high } = backfill.afterCanary ?? backfill.quote ?? estimate(backfill.strata);
  const score = {
    spent,
    isInside: low <= spent && spent <= high,
    width: spent > 0 ? (high - low) / spent : 0,
  };
  const { holding: _, ...rest } = backfill;
  return { ...rest, state: 'done', endedAtMs: nowMs, score };
}

type Stop = Pick<NonNullable<Backfill['pause']>, 'by' | 'reason' | 'examples'>;

function stopBy(backfill: Backfill, band: Band): Stop | undefined {
  const { strata, damaged, damagedIds, overruled = [] } = backfill;
  const ended = strata.reduce((sum, { hits, misses, others }) => sum + hits + misses + others, 0);
  if (!overruled.includes('damage') && doesDamage({ ended, damaged })) {
    const reason = `${damaged} of ${ended} records were contradicted by their answer, or refused by HubSpot.`;
    return { by: 'damage', reason, examples: [...damagedIds] };
  }
  if (overruled.includes('match-rate')) return undefined;
  // Followers are left out, because they reuse the answers of others.
  const own = strata.filter(({ follows }) => !follows);
  const left = own.find(({ records, hits, misses, others }) =>
    leavesBand({ of: records - others, asked: hits + misses, hits }, band, own.length),
  );
  if (!left) return undefined;
  const { name, hits, misses, missIds } = left;
  const agreed = `${Math.round(band.lowest * 100)} to ${Math.round(band.highest * 100)}%`;
  const reason = `${hits} of ${hits + misses} lookups ${name} found a match: the match rate cannot be ${agreed}.`;
  return { by: 'match-rate', reason, examples: [...missIds] };
}
