import type { LedgerReader } from '#shared/credit-ledger/ledger.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { NewId } from '#shared/kernel/ids.ts';
import type { Logger } from '#shared/kernel/logger.ts';
import { changeRecord, type RecordItems } from '#shared/records/change-record.ts';
import { placeInTurn, recordPlace } from '#shared/records/record-state.ts';
import type { RecordState } from '#shared/records/schemas.ts';
import { openWaiting } from '#shared/records/transitions.ts';

export interface RefreshServices {
  readonly records: RecordItems;
  readonly ledger: Pick<LedgerReader, 'left'>;
  /** What one refresh costs at most, credits: as many records are chosen as the budget surely pays for. */
  readonly worstCaseCredits: (objectType: RecordState['objectType']) => number;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
}

export interface RefreshReport {
  readonly chosen: number;
  /** Stale records that the budget left for another day: at least this many were seen. */
  readonly left: number;
  /** What the chosen ones cost at most, credits. */
  readonly worstCaseCredits: number;
}

/** Most records that one run chooses: enough for a day at the vendor's usual rate, and few enough for its time. */
const MAX_CHOSEN = 1_000;
/** More than one run can choose, with room for what waits for other reasons. */
const MAX_PROMISED = 5_000;

/** Chooses stale records, the stalest first, within what is left of the refresh budget: the sweep queues them in their turn. */
export function createHandler(services: RefreshServices) {
  return async (): Promise<RefreshReport> => {
    const nowMs = services.clock.now();
    const stale = await services.records.list({ partition: 'settled', upTo: nowMs, limit: MAX_CHOSEN });
    const left = (await services.ledger.left('refresh')) - (await promised(services));
    const affordable = withinBudget(services, stale, left);
    const chosen = (await Promise.all(affordable.map((state) => choose(services, state, nowMs)))).filter(
      ({ kind }) => kind === 'chosen',
    );
    const worstCaseCredits = chosen.reduce(
      (sum, { state }) => sum + (state ? services.worstCaseCredits(state.objectType) : 0),
      0,
    );
    const report = { chosen: chosen.length, left: stale.length - affordable.length, worstCaseCredits };
    services.logger.info('refresh-chosen', { count: report.chosen, remaining: report.left });
    return report;
  };
}

function withinBudget(
  services: RefreshServices,
  stale: readonly RecordState[],
  leftCredits: number,
): readonly RecordState[] {
  let left = leftCredits;
  return stale.filter(({ objectType }) => {
    const worst = services.worstCaseCredits(objectType);
    if (worst > left) return false;
    left -= worst;
    return true;
  });
}

/** What the records that were chosen earlier, and that have not been asked about yet, may still cost, credits. */
async function promised({ records, worstCaseCredits }: RefreshServices): Promise<number> {
  const partitions = [placeInTurn('refresh'), 'waiting-bulk'];
  const lists = partitions.map((partition) => records.list({ partition, limit: MAX_PROMISED }));
  return (await Promise.all(lists))
    .flat()
    .filter(({ run }) => run?.purpose === 'refresh')
    .reduce((sum, { objectType }) => sum + worstCaseCredits(objectType), 0);
}

/** Opens the record's run, which waits for its turn. Nothing to open where it is no longer stale: chosen twice. */
function choose(services: RefreshServices, { objectType, id }: RecordState, nowMs: number) {
  return changeRecord(services, { objectType, id }, (state) => {
    const place = recordPlace(state);
    if (place.partition !== 'settled' || place.order > nowMs) return { kind: 'no-longer-stale' };
    const opening = {
      runId: services.newId(),
      purpose: 'refresh' as const,
      nowMs,
      untilMs: nowMs,
      reason: 'queued',
    };
    return { kind: 'chosen', state: openWaiting(state, opening) };
  });
}
