import { type Clock, type Logger, mapInChunks, type NewId } from '#shared/kernel';
import {
  changeRecord,
  type DueRecord,
  isStale,
  openForRefresh,
  planRefresh,
  type RecordItems,
  type RefreshPlanServices,
  sumCredits,
} from '#shared/records';

export interface RefreshServices extends RefreshPlanServices {
  readonly records: RecordItems;
  readonly clock: Clock;
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
 * Chooses stale records within the refresh budget, in the order of their age times the square root of their weight. The
 * sweep starts the newest runs first. So each run opens a millisecond before the one of the record that goes first.
 */
export function createHandler(services: RefreshServices) {
  return async (): Promise<RefreshReport> => {
    const { chosen, left } = await planRefresh(services);
    const nowMs = services.clock.now();
    const places = chosen.map((record, place) => ({ record, openedAtMs: nowMs - place }));
    const results = await mapInChunks(places, ({ record, openedAtMs }) => open(services, record, openedAtMs));
    const opened = chosen.filter((_, index) => results[index]?.kind === 'opened');
    const report = { chosen: opened.length, left, worstCaseCredits: sumCredits(opened) };
    services.logger.info('refresh-chosen', { count: report.chosen, remaining: report.left });
    return report;
  };
}

/** Opens a queued run for the record. If the record is no longer stale, because it was chosen twice, does nothing. */
function open(
  services: RefreshServices,
  { state: { objectType, id }, credits: maxCredits }: DueRecord,
  openedAtMs: number,
) {
  return changeRecord(services, { objectType, id }, (state) => {
    if (!isStale(state, services.clock.now())) return { kind: 'no-longer-stale' };
    const opening = { runId: services.newId(), nowMs: openedAtMs, maxCredits };
    return { kind: 'opened', state: openForRefresh(state, opening) };
  });
}
