import type { LedgerReader } from '#shared/credit-ledger';
import type { Clock } from '#shared/kernel';
import type { RecordItems } from './change-record.ts';
import { type Candidate, chooseByWorth } from './choose-by-worth.ts';
import { placeInTurn } from './record-state.ts';
import type { RecordState } from './schemas.ts';
import { recordKind } from './stored-kinds.ts';

export interface RefreshPlanServices {
  readonly records: RecordItems;
  readonly ledger: Pick<LedgerReader, 'now'>;
  /** What one refresh costs at most, credits: as many records are chosen as the budget surely pays for. */
  readonly worstCaseCredits: (
    of: Pick<RecordState, 'objectType'> & Partial<Pick<RecordState, 'rule'>>,
  ) => number;
  readonly clock: Clock;
}

/** Most records that one run chooses: enough for a day at the vendor's usual rate, and few enough for its time. */
const MAX_CHOSEN = 1_000;
/** More than one run can choose, with room for records that wait for other reasons. */
const MAX_PROMISED = 5_000;

/** The next choice, of which nothing is kept. */
export async function planRefresh(services: RefreshPlanServices) {
  const credits = (await services.ledger.now()).planned('refresh') - (await promised(services));
  return chooseByWorth(services, { nowMs: services.clock.now(), credits, most: MAX_CHOSEN });
}

export function chosenCredits(chosen: readonly Candidate[]): number {
  return chosen.reduce((sum, { credits }) => sum + credits, 0);
}

/** What the records that were chosen earlier, and that have not been looked up yet, may still cost, credits. */
async function promised({
  records,
  worstCaseCredits,
}: Pick<RefreshPlanServices, 'records' | 'worstCaseCredits'>): Promise<number> {
  const places = [placeInTurn('refresh'), 'waiting-bulk' as const];
  const lists = places.map((place) =>
    records.list({ partition: recordKind.partition(place), limit: MAX_PROMISED }),
  );
  return (await Promise.all(lists))
    .flat()
    .filter(({ run }) => run?.purpose === 'refresh')
    .reduce((sum, state) => sum + worstCaseCredits(state), 0);
}
