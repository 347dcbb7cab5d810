import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { PRIORS, type Weight } from './change-rate.ts';
import type { RecordState } from './schemas.ts';

/**
 * Groups the records that can be refreshed. The records of one cell have the same type, and a similar change rate and
 * value. Within a cell, the record with the oldest answer is about the best one to refresh. So a choice among a million
 * records reads only the oldest records of each cell.
 */
export type RefreshCell = `refresh-${ObjectType}-${number}-${number}-${number}`;

const CHANGE_LEVELS = 4;
const DAYS_LEVELS = 4;
const WEIGHT_LEVELS = 16;

/** Returns the levels from 0 to `count - 1`. */
const levels = (count: number) => Array.from({ length: count }, (_, level) => level);

/** All 512 cells. */
export const REFRESH_CELLS: readonly RefreshCell[] = OBJECT_TYPES.flatMap((type) =>
  levels(CHANGE_LEVELS).flatMap((changes) =>
    levels(DAYS_LEVELS).flatMap((watched) =>
      levels(WEIGHT_LEVELS).map((weight): RefreshCell => `refresh-${type}-${changes}-${watched}-${weight}`),
    ),
  ),
);

export function refreshCell(state: RecordState): RefreshCell {
  const { objectType } = state;
  const { a, b } = state.changeRate ?? PRIORS[objectType];
  const { w, g } = weightOf(state);
  const changes = level(Math.log2(a / PRIORS[objectType].a), CHANGE_LEVELS);
  const watched = level(Math.log2(b / PRIORS[objectType].b) * 2, DAYS_LEVELS);
  // While changes are rare, learning of changes is worth `g` times the mean rate for each day.
  const weight = level(Math.log2(w + (g * a) / b) + LIGHTEST, WEIGHT_LEVELS);
  return `refresh-${objectType}-${changes}-${watched}-${weight}`;
}

/** Shifts the scale, so that the lightest cell holds weights of about one eighth and less. */
const LIGHTEST = 3.5;

function level(value: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor(value)));
}

/** Returns the weight that the policy gave the record at its last read. */
export function weightOf({ worth }: Pick<RecordState, 'worth'>): Weight {
  return worth ?? ORDINARY;
}

/** Weight of records that no rule of the policy names. */
export const ORDINARY: Weight = { w: 1, g: 0 };
