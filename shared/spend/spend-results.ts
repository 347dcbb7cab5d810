import { matchRateIn, type YieldCount, type YieldKind } from '#shared/records';
import { runsOf } from './yields.ts';

/** Results of the credits of some days. Runs and fields belong to the same days. */
export interface SpendResults {
  /** Filled records. A record that was filled in two runs counts twice. */
  readonly filledRecords: number;
  readonly filledFields: number;
  /** Share of matches among answered runs, 0 to 1. Absent if no run was answered. */
  readonly matchRate?: number;
  /** Credits, with fractions. */
  readonly costPerFilledRecord?: number;
  readonly costPerFilledField?: number;
  /** Runs of the refresh, by result. */
  readonly refresh: RefreshFound;
}

export interface RefreshFound {
  readonly changed: number;
  readonly unchanged: number;
  /** Deleted in HubSpot, or no longer known to the data service. */
  readonly gone: number;
  /** Skipped, failed or in review. */
  readonly other: number;
}

/** @param credits credits spent on the same days. */
export function spendResults(rows: readonly YieldCount[], credits: number): SpendResults {
  const runs = (...kinds: YieldKind[]) => runsOf(rows, kinds);
  const filledFields = rows.reduce((sum, { fields }) => sum + fields, 0);
  const filledRecords = runs('filled');
  const matchRate = matchRateIn(rows);
  const refreshed = rows.filter(({ purpose }) => purpose === 'refresh');
  return {
    filledRecords,
    filledFields,
    ...(matchRate !== undefined && { matchRate }),
    ...(filledRecords > 0 && { costPerFilledRecord: credits / filledRecords }),
    ...(filledFields > 0 && { costPerFilledField: credits / filledFields }),
    refresh: {
      changed: runsOf(refreshed, ['filled']),
      unchanged: runsOf(refreshed, ['confirmed']),
      gone: runsOf(refreshed, ['gone', 'unmatched']),
      other: runsOf(refreshed, ['skipped', 'failed', 'review']),
    },
  };
}
