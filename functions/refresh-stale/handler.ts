import type { LedgerReader } from '#shared/credit-ledger';
import type { Clock, Logger, NewId } from '#shared/kernel';
import {
  changeRecord,
  isStale,
  openForRefresh,
  placeInTurn,
  type RecordItems,
  type RecordState,
} from '#shared/records';
import { type Candidate, chooseByWorth } from './choose-by-worth.ts';

export interface RefreshServices {
  readonly records: RecordItems;
  readonly ledger: Pick<LedgerReader, 'now'>;
  /** What one refresh costs at most, credits: as many records are chosen as the budget surely pays for. */
  readonly worstCaseCredits: (objectType: RecordState['objectType']) => number;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
}

export interface RefreshReport {
  readonly chosen: number;
  /** Stale records that were left for another day: at least this many were seen. */
  readonly left: number;
  /** What the chosen ones cost at most, credits. */
  readonly worstCaseCredits: number;
}

/** Most records that one run chooses: enough for a day at the vendor's usual rate, and few enough for its time. */
const MAX_CHOSEN = 1_000;
/** More than one run can choose, with room for what waits for other reasons. */
const MAX_PROMISED = 5_000;

/**
 * Chooses stale records within the refresh budget, those with the highest worth for a credit first. The sweep then queues
 * them in order.
 */
export function createHandler(services: RefreshServices) {
  return async (): Promise<RefreshReport> => {
    const { chosen, rest } = await planRefresh(services);
    const results = await Promise.all(chosen.map((candidate) => open(services, candidate)));
    const opened = chosen.filter((_, index) => results[index]?.kind === 'opened');
    const report = { chosen: opened.length, left: rest, worstCaseCredits: creditsOf(opened) };
    services.logger.info('refresh-chosen', { count: report.chosen, remaining: report.left });
    return report;
  };
}

/** The next choice, of which nothing is kept. */
export async function planRefresh(services: Omit<RefreshServices, 'newId' | 'logger'>) {
  const credits = (await services.ledger.now()).planned('refresh') - (await promised(services));
  return chooseByWorth(services, { nowMs: services.clock.now(), credits, most: MAX_CHOSEN });
}

export function creditsOf(chosen: readonly Candidate[]): number {
  return chosen.reduce((sum, { credits }) => sum + credits, 0);
}

/** What the records that were chosen earlier, and that have not been asked about yet, may still cost, credits. */
async function promised({
  records,
  worstCaseCredits,
}: Pick<RefreshServices, 'records' | 'worstCaseCredits'>): Promise<number> {
  const partitions = [placeInTurn('refresh'), 'waiting-bulk'];
  const lists = partitions.map((partition) => records.list({ partition, limit: MAX_PROMISED }));
  return (await Promise.all(lists))
    .flat()
    .filter(({ run }) => run?.purpose === 'refresh')
    .reduce((sum, { objectType }) => sum + worstCaseCredits(objectType), 0);
}

/** Opens the record's run, which waits for its turn. Nothing to open where it is no longer stale: chosen twice. */
function open(services: RefreshServices, { state: { objectType, id }, credits: maxCredits }: Candidate) {
  return changeRecord(services, { objectType, id }, (state) => {
    const nowMs = services.clock.now();
    if (!isStale(state, nowMs)) return { kind: 'no-longer-stale' };
    const opening = { runId: services.newId(), nowMs, maxCredits };
    return { kind: 'opened', state: openForRefresh(state, opening) };
  });
}
