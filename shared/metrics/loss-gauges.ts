import { LANES } from '#shared/crm';
import { MINUTE_MS } from '#shared/kernel';
import { type RecordItems, type RecordState, recordKind, type YieldCount } from '#shared/records';
import type { VendorAnswers } from '#shared/spend';
import { type Measurement, measure } from './metrics.ts';

/** Facts that show a loss without any error: purchases, matches, writes or webhooks are missing. */
export interface LossFacts {
  readonly nowMs: number;
  readonly answers: VendorAnswers;
  /** Start of the longest wait for a purchase; `undefined` if no record waits. */
  readonly waitsSinceMs: number | undefined;
  /** Send times of requests with an unknown outcome, oldest first. */
  readonly doubtsAtMs: readonly number[];
  readonly isBudgetUsedUp: boolean;
  /** Yield of the runs of the last days. */
  readonly brought: readonly YieldCount[];
  /** Cost of misses in a row that raises the alarm at once. */
  readonly missAlarmCredits: number;
  /** Whether the policy is in shadow mode, which forbids all writes. */
  readonly isShadow: boolean;
  /** Number of consecutive new records that no webhook has reported. */
  readonly unreported: number;
}

export function lossGauges(facts: LossFacts): Measurement[] {
  return [
    measure('nothingBought', nothingBoughtMs(facts)),
    measure('nothingEnriched', isNothingEnriched(facts) ? 1 : 0),
    measure('recordsUnreported', facts.unreported),
  ];
}

/**
 * Returns the time since the last purchase or since the start of the wait, whichever is shorter. The first records of
 * an outage are in doubt, and do not wait. So two unanswered requests since the last answer also count as a wait.
 */
function nothingBoughtMs({ nowMs, answers, waitsSinceMs, doubtsAtMs, isBudgetUsedUp }: LossFacts): number {
  const { answeredAtMs = 0 } = answers;
  const [first, second] = doubtsAtMs.filter((atMs) => atMs > answeredAtMs);
  const waitStarts = [waitsSinceMs, second === undefined ? undefined : first].filter(
    (ms) => ms !== undefined,
  );
  if (waitStarts.length === 0 || isBudgetUsedUp) return 0;
  return Math.max(0, nowMs - Math.max(Math.min(...waitStarts), answeredAtMs));
}

/** Normally at least half of all lookups find a match, and half of all records are enriched. */
const MISSES_IN_A_ROW = 20;
const RECORDS_UNENRICHED = 10;
/** Free or cheap misses count only if they last this long, because a few of them mean a bad list and no fault. */
const MISSES_LAST_MS = 90 * MINUTE_MS;

function isNothingEnriched({ isShadow, brought, ...facts }: LossFacts): boolean {
  return isOnlyMissing(facts) || (!isShadow && recordsUnenriched(brought) >= RECORDS_UNENRICHED);
}

function isOnlyMissing({
  nowMs,
  answers: { misses },
  missAlarmCredits,
}: Pick<LossFacts, 'nowMs' | 'answers' | 'missAlarmCredits'>): boolean {
  if (!misses) return false;
  const hasLasted = nowMs - misses.sinceMs >= MISSES_LAST_MS && misses.count >= MISSES_IN_A_ROW;
  return hasLasted || misses.credits >= missAlarmCredits;
}

/** Counts only new records, because a repeated lookup often finds nothing new. */
function recordsUnenriched(brought: readonly YieldCount[]): number {
  if (brought.some(({ kind }) => kind === 'filled')) return 0;
  return brought
    .filter(({ purpose }) => purpose === 'live' || purpose === 'import')
    .filter(({ kind }) => kind === 'confirmed' || kind === 'unmatched' || kind === 'failed')
    .reduce((sum, { runs }) => sum + runs, 0);
}

/**
 * Number of records that are read from each index partition. Records that wait for the data service are due within the
 * hour, so they are among the first.
 */
const RECORDS_READ = 25;

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
    places.map((place) => records.list({ partition: recordKind.partition(place), limit: RECORDS_READ })),
  );
  const waitStarts = lists
    .flat()
    .flatMap(({ run }) => (run?.waitsFor?.whom === 'data-service' ? [run.waitsFor.sinceMs] : []));
  if (oldestLead?.run) waitStarts.push(oldestLead.run.openedAtMs);
  return waitStarts.length > 0 ? Math.min(...waitStarts) : undefined;
}
