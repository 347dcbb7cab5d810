import { LANES } from '#shared/crm';
import { HOUR_MS } from '#shared/kernel';
import { type RecordItems, type RecordState, recordKind, type YieldCount } from '#shared/records';
import type { VendorAnswers } from '#shared/spend';
import { type Measurement, measure } from './metrics.ts';

/** Losses that cause no error: no purchase, match, write or webhook. */
export interface LossFacts {
  readonly nowMs: number;
  readonly answers: VendorAnswers;
  /** Start of the longest wait for a purchase; undefined if no record waits. */
  readonly waitsSinceMs: number | undefined;
  /** Send times of requests with an unknown outcome, oldest first. */
  readonly doubtsAtMs: readonly number[];
  readonly isBudgetUsedUp: boolean;
  /** Results of the last days. */
  readonly brought: readonly YieldCount[];
  /** The policy forbids all writes. */
  readonly isShadow: boolean;
  /** New records in a row that no webhook has reported. */
  readonly unreported: number;
  readonly indexLagMs: number;
}

export function lossGauges(facts: LossFacts): Measurement[] {
  return [
    measure('nothingBought', nothingBoughtMs(facts)),
    measure('missesInARow', missesInARow(facts)),
    measure('recordsUnenriched', facts.isShadow ? 0 : recordsUnenriched(facts.brought)),
    measure('recordsUnreported', facts.unreported),
    measure('indexLag', facts.indexLagMs),
  ];
}

/**
 * Returns the time since the last purchase or since the start of the wait, whichever is shorter. The first records of
 * an outage are in doubt and do not wait. So two unanswered requests since the last answer count as a wait too.
 */
function nothingBoughtMs({ nowMs, answers, waitsSinceMs, doubtsAtMs, isBudgetUsedUp }: LossFacts): number {
  const { answeredAtMs = 0 } = answers;
  const [first, second] = doubtsAtMs.filter((atMs) => atMs > answeredAtMs);
  const since = [waitsSinceMs, second === undefined ? undefined : first].filter((ms) => ms !== undefined);
  if (since.length === 0 || isBudgetUsedUp) return 0;
  return Math.max(0, nowMs - Math.max(Math.min(...since), answeredAtMs));
}

/** A few misses within minutes mean a bad list; hours of misses mean a fault. */
const MISSES_LAST_MS = 2 * HOUR_MS;

function missesInARow({ nowMs, answers: { misses } }: LossFacts): number {
  return misses && nowMs - misses.sinceMs >= MISSES_LAST_MS ? misses.count : 0;
}

/** Counts new records only. A repeated lookup often finds nothing new. */
function recordsUnenriched(brought: readonly YieldCount[]): number {
  if (brought.some(({ kind }) => kind === 'filled')) return 0;
  return brought
    .filter(({ purpose }) => purpose === 'live' || purpose === 'import')
    .filter(({ kind }) => kind === 'confirmed' || kind === 'unmatched' || kind === 'failed')
    .reduce((sum, { runs }) => sum + runs, 0);
}

/** Records read of each bucket. Records that wait for the data service are due within the hour, so they are among the first. */
const LOOKED_AT = 25;

/**
 * Returns the start of the longest wait for the data service, or of the oldest queued lead. A record that is being
 * retried still counts as waiting.
 */
export async function readWaitsSince(
  records: Pick<RecordItems, 'list'>,
  oldestLead: RecordState | undefined,
): Promise<number | undefined> {
  const places = LANES.flatMap((lane) => [`waiting-${lane}` as const, `running-${lane}` as const]);
  const lists = await Promise.all(
    places.map((place) => records.list({ partition: recordKind.partition(place), limit: LOOKED_AT })),
  );
  const since = lists
    .flat()
    .flatMap(({ run }) => (run?.waitsFor?.whom === 'data-service' ? [run.waitsFor.sinceMs] : []));
  if (oldestLead?.run) since.push(oldestLead.run.openedAtMs);
  return since.length > 0 ? Math.min(...since) : undefined;
}
