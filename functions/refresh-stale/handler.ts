import { type Logger, mapInChunks, type NewId } from '#shared/kernel';
import {
  type Candidate,
  changeRecord,
  chosenCredits,
  isStale,
  openForRefresh,
  planRefresh,
  type RefreshPlanServices,
} from '#shared/records';

export interface RefreshServices extends RefreshPlanServices {
  readonly newId: NewId;
  readonly logger: Logger;
}

export interface RefreshReport {
  readonly chosen: number;
  /** Stale records that were postponed. More records may be stale, because only a part was read. */
  readonly left: number;
  /** Highest possible cost of the chosen records, in credits. */
  readonly worstCaseCredits: number;
}

/**
 * Chooses stale records within the refresh budget. The record with the highest worth for a credit comes first. The
 * sweep then queues the chosen records in order.
 */
export function createHandler(services: RefreshServices) {
  return async (): Promise<RefreshReport> => {
    const { chosen, rest } = await planRefresh(services);
    const results = await mapInChunks(chosen, (candidate) => open(services, candidate));
    const opened = chosen.filter((_, index) => results[index]?.kind === 'opened');
    const report = { chosen: opened.length, left: rest, worstCaseCredits: chosenCredits(opened) };
    services.logger.info('refresh-chosen', { count: report.chosen, remaining: report.left });
    return report;
  };
}

/** Opens a queued run for the record. If the record is no longer stale, because it was chosen twice, does nothing. */
function open(services: RefreshServices, { state: { objectType, id }, credits: maxCredits }: Candidate) {
  return changeRecord(services, { objectType, id }, (state) => {
    const nowMs = services.clock.now();
    if (!isStale(state, nowMs)) return { kind: 'no-longer-stale' };
    const opening = { runId: services.newId(), nowMs, maxCredits };
    return { kind: 'opened', state: openForRefresh(state, opening) };
  });
}
