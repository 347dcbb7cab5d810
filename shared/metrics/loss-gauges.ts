import { LANES } from '#shared/crm/names.ts';
import { HOUR_MS } from '#shared/kernel/clock.ts';
import type { Brought } from '#shared/records/brought/schemas.ts';
import type { RecordItems } from '#shared/records/change-record.ts';
import type { RecordState } from '#shared/records/schemas.ts';
import type { VendorAnswers } from '#shared/spend/spend-book.ts';
import { type Measurement, measure } from './metrics.ts';

/** What is lost without a failure anywhere: nothing is bought, matched, written, or reported. */
export interface LossFacts {
  readonly nowMs: number;
  readonly answers: VendorAnswers;
  /** Since when the record waits that waits longest for a purchase; nothing where none does. */
  readonly waitsSinceMs: number | undefined;
  /** When requests were sent whose end is not known, oldest first. */
  readonly doubtsAtMs: readonly number[];
  readonly isBudgetUsedUp: boolean;
  /** Of the last days. */
  readonly brought: readonly Brought[];
  /** Nothing is written on purpose. */
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
 * A record that has waited for an hour, and a purchase ten minutes ago: ten minutes. The first records of an outage do
 * not wait, they are in doubt: two of them without an answer since then count as well.
 */
function nothingBoughtMs({ nowMs, answers, waitsSinceMs, doubtsAtMs, isBudgetUsedUp }: LossFacts): number {
  const { answeredAtMs = 0 } = answers;
  const [first, second] = doubtsAtMs.filter((atMs) => atMs > answeredAtMs);
  const since = [waitsSinceMs, second === undefined ? undefined : first].filter((ms) => ms !== undefined);
  if (since.length === 0 || isBudgetUsedUp) return 0;
  return Math.max(0, nowMs - Math.max(Math.min(...since), answeredAtMs));
}

/** A handful of misses within minutes is a bad list; hours of them are a fault. */
const MISSES_LAST_MS = 2 * HOUR_MS;

function missesInARow({ nowMs, answers: { misses } }: LossFacts): number {
  return misses && nowMs - misses.sinceMs >= MISSES_LAST_MS ? misses.count : 0;
}

/** Of new records. One that is looked up again often has nothing to gain. */
function recordsUnenriched(brought: readonly Brought[]): number {
  if (brought.some(({ kind }) => kind === 'filled')) return 0;
  return brought
    .filter(({ purpose }) => purpose === 'live' || purpose === 'import')
    .filter(({ kind }) => kind === 'confirmed' || kind === 'unmatched' || kind === 'failed')
    .reduce((sum, { runs }) => sum + runs, 0);
}

/** Of each place so many are looked at: what waits for the data service is due within the hour, and so among the first. */
const LOOKED_AT = 25;

/**
 * Since when the record waits that waits longest for the data service, or for its turn as a fresh lead. A record that is
 * being tried once more waits all the same.
 */
export async function readWaitsSince(
  records: Pick<RecordItems, 'list'>,
  oldestLead: RecordState | undefined,
): Promise<number | undefined> {
  const places = LANES.flatMap((lane) => [`waiting-${lane}`, `running-${lane}`]);
  const lists = await Promise.all(places.map((partition) => records.list({ partition, limit: LOOKED_AT })));
  const since = lists
    .flat()
    .flatMap(({ run }) => (run?.waitsFor?.whom === 'data-service' ? [run.waitsFor.sinceMs] : []));
  if (oldestLead?.run) since.push(oldestLead.run.openedAtMs);
  return since.length > 0 ? Math.min(...since) : undefined;
}
