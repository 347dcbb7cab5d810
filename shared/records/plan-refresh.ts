import type { LedgerReader } from '#shared/credit-ledger';
import type { Policy } from '#shared/field-policy';
import { type Clock, DAY_MS, mapInChunks } from '#shared/kernel';
import type { RecordItems } from './change-record.ts';
import { queuePlace, REFRESH_PLACES, weightOf } from './record-state.ts';
import type { RecordState } from './schemas.ts';
import { recordKind } from './stored-kinds.ts';

export interface RefreshPlanServices {
  readonly records: Pick<RecordItems, 'list'>;
  readonly ledger: Pick<LedgerReader, 'now'>;
  readonly policy: Pick<Policy, 'freshness'>;
  /** Highest cost of one refresh, in credits. The highest costs of all chosen records together fit into the budget. */
  readonly worstCaseCredits: (
    of: Pick<RecordState, 'objectType'> & Partial<Pick<RecordState, 'rule'>>,
  ) => number;
  readonly clock: Pick<Clock, 'now'>;
}

/** A stale record. */
export interface DueRecord {
  readonly state: RecordState;
  /**
   * Age in days times the square root of the weight. The highest priority is refreshed first. An estimate of each
   * record's change rate gained 1.4 times as much, for ten times the code.
   */
  readonly priority: number;
  /** Highest cost of the lookup. */
  readonly credits: number;
}

/**
 * Maximum number of records that one run chooses. This is enough for a day at the vendor's usual rate, and few enough
 * for the run's time limit.
 */
const MAX_CHOSEN = 1_000;
/**
 * Number of records that are read for the reserved credits. It exceeds MAX_CHOSEN, because some records wait for other
 * reasons.
 */
const MAX_RESERVED = 5_000;

/**
 * Chooses the next records within the refresh budget, and stores nothing. A record that the rest of the budget cannot
 * pay is left out. `left` counts stale records that were read but not chosen.
 */
export async function planRefresh(services: RefreshPlanServices) {
  const planned = (await services.ledger.now()).planned('refresh') - (await reservedCredits(services));
  let credits = Math.max(0, planned);
  // A lookup costs at least one credit. One record more shows that some are left.
  const { due } = await staleRecords(services, Math.min(MAX_CHOSEN, credits) + 1);
  const chosen: DueRecord[] = [];
  for (const record of due) {
    if (chosen.length === MAX_CHOSEN || record.credits > credits) continue;
    chosen.push(record);
    credits -= record.credits;
  }
  return { chosen, left: due.length - chosen.length };
}

/**
 * Returns the stale records in the order of their refresh. In a partition, the oldest record has the highest priority.
 * So the first of all records are among the first of each partition.
 * @param limit records to read of each partition.
 * @returns also whether these are all stale records.
 */
export async function staleRecords(
  services: Pick<RefreshPlanServices, 'records' | 'policy' | 'worstCaseCredits' | 'clock'>,
  limit: number,
): Promise<{ readonly due: readonly DueRecord[]; readonly isWhole: boolean }> {
  const nowMs = services.clock.now();
  const lists = await mapInChunks(REFRESH_PLACES, (place) =>
    services.records.list({ partition: recordKind.partition(place), upTo: nowMs, limit }),
  );
  const due = lists.flat().map((state) => ({
    state,
    priority: (ageMs(state, { ...services.policy, nowMs }) / DAY_MS) * Math.sqrt(weightOf(state)),
    credits: services.worstCaseCredits(state),
  }));
  return {
    due: due.sort((a, b) => b.priority - a.priority),
    isWhole: lists.every((list) => list.length < limit),
  };
}

/**
 * Returns the age of the last answer, by the time when it became stale. A record without a match becomes stale at its
 * retry, and counts from then on like an answer that has just become stale.
 */
function ageMs(
  { objectType, staleAtMs }: RecordState,
  { freshness, nowMs }: Pick<Policy, 'freshness'> & { readonly nowMs: number },
): number {
  return nowMs - (staleAtMs ?? nowMs) + freshness[`${objectType}Days`] * DAY_MS;
}

export function sumCredits(records: readonly DueRecord[]): number {
  return records.reduce((sum, { credits }) => sum + credits, 0);
}

/** Returns the highest cost, in credits, of the records that were chosen earlier and are not looked up yet. */
async function reservedCredits({
  records,
  worstCaseCredits,
}: Pick<RefreshPlanServices, 'records' | 'worstCaseCredits'>): Promise<number> {
  const places = [queuePlace('refresh'), 'waiting-bulk' as const];
  const lists = places.map((place) =>
    records.list({ partition: recordKind.partition(place), limit: MAX_RESERVED }),
  );
  return (await Promise.all(lists))
    .flat()
    .filter(({ run }) => run?.purpose === 'refresh')
    .reduce((sum, state) => sum + worstCaseCredits(state), 0);
}
