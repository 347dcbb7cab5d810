import { estimate, worstOf } from './estimate.ts';
import type { Backfill } from './schemas.ts';
import { type Band, doesDamage, leavesBand } from './stop-rules.ts';
import { type CanarySize, LIVING, nextPlaces, paused, spentOf } from './transitions.ts';

export interface CanaryRules {
  readonly canary: CanarySize;
  readonly band: Band;
}

/** Decides from the counts whether a rule pauses the backfill, the canary has ended, or the backfill is done. */
export function judged(backfill: Backfill, { canary, band }: CanaryRules, nowMs: number): Backfill {
  if (!LIVING.has(backfill.state)) return backfill;
  const stop = stopBy(backfill, band);
  if (stop) return paused(backfill, { ...stop, atMs: nowMs });
  const isAllAdmitted = nextPlaces(backfill, canary, Number.MAX_SAFE_INTEGER).every((count) => count === 0);
  if (!isAllAdmitted || backfill.outstanding.length > 0) return backfill;
  if (backfill.state === 'running') return done(backfill, nowMs);
  return canaryEnded(backfill, nowMs);
}

function canaryEnded(backfill: Backfill, nowMs: number): Backfill {
  const afterCanary = estimate(backfill.strata);
  const known = { ...backfill, afterCanary };
  if (backfill.strata.every(({ records, letIn }) => letIn >= records)) return done(backfill, nowMs);
  const { agreedBeforehand, quote } = backfill;
  // A cost below the agreed quote needs no further consent. Neither do answers that are free.
  const isWithinQuote = agreedBeforehand && quote !== undefined && afterCanary.high <= quote.high;
  const isRestFree = worstOf(backfill.strata) === spentOf(backfill);
  return { ...known, state: isWithinQuote || isRestFree ? 'running' : 'approval' };
}

function done(backfill: Backfill, nowMs: number): Backfill {
  const spent = spentOf(backfill);
  // A backfill that is no larger than its canary is scored against its quote.
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
  // Leaves out followers, because they reuse the answers of others.
  const ownStrata = strata.filter(({ follows }) => !follows);
  const outlier = ownStrata.find(({ records, hits, misses, others }) =>
    leavesBand({ of: records - others, asked: hits + misses, hits }, band, ownStrata.length),
  );
  if (!outlier) return undefined;
  const { name, hits, misses, missIds } = outlier;
  const agreed = `${Math.round(band.lowest * 100)} to ${Math.round(band.highest * 100)}%`;
  const reason = `${hits} of ${hits + misses} lookups ${name} found a match: the match rate cannot be ${agreed}.`;
  return { by: 'match-rate', reason, examples: [...missIds] };
}
