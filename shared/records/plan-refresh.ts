import type { LedgerReader } from '#shared/credit-ledger';
import type { Clock } from '#shared/kernel';
import type { RecordItems } from './change-record.ts';
import { type Candidate, chooseByWorth } from './choose-by-worth.ts';
import { queuePlace } from './record-state.ts';
import type { RecordState } from './schemas.ts';
import { recordKind } from './stored-kinds.ts';

export interface RefreshPlanServices {
  readonly records: RecordItems;
  readonly ledger: Pick<LedgerReader, 'now'>;
  /** Highest cost of one refresh, in credits. The highest costs of all chosen records together fit into the budget. */
  readonly worstCaseCredits: (
    of: Pick<RecordState, 'objectType'> & Partial<Pick<RecordState, 'rule'>>,
  ) => number;
  readonly clock: Clock;
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

/** Computes the next choice, and stores nothing. */
export async function planRefresh(services: RefreshPlanServices) {
  const credits = (await services.ledger.now()).planned('refresh') - (await reservedCredits(services));
  return chooseByWorth(services, { nowMs: services.clock.now(), credits, most: MAX_CHOSEN });
}

export function chosenCredits(chosen: readonly Candidate[]): number {
  return chosen.reduce((sum, { credits }) => sum + credits, 0);
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
