import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { PRIORS, type Weight } from './change-rate.ts';
import type { RecordState } from './schemas.ts';

/**
 * Groups the records that can be refreshed. The records of one cell have the same type, and a similar change rate and
 * value. Within a cell, the oldest answer is about the best to refresh. So a choice among a million records reads only
 * the oldest of each cell.
 */
export type RefreshCell = `refresh-${ObjectType}-${number}-${number}-${number}`;

const CHANGES = 4;
const WATCHED = 4;
const WEIGHTS = 16;

/** Returns the levels from 0 to `count - 1`. */
const levels = (count: number) => Array.from({ length: count }, (_, level) => level);

/** All 512 cells. */
export const REFRESH_CELLS: readonly RefreshCell[] = OBJECT_TYPES.flatMap((type) =>
  levels(CHANGES).flatMap((changes) =>
    levels(WATCHED).flatMap((watched) =>
      levels(WEIGHTS).map((weight): RefreshCell => `refresh-${type}-${changes}-${watched}-${weight}`),
    ),
  ),
);

export function refreshCell(state: RecordState): RefreshCell {
  const { objectType } = state;
  const { a, b } = state.changeRate ?? PRIORS[objectType];
  const { w, g } = weightOf(state);
  const changes = level(Math.log2(a / PRIORS[objectType].a), CHANGES);
  const watched = level(Math.log2(b / PRIORS[objectType].b) * 2, WATCHED);
  // While changes are rare, learning of one change is worth `g` times the mean rate a day.
  const weight = level(Math.log2(w + (g * a) / b) + LIGHTEST, WEIGHTS);
  return `refresh-${objectType}-${changes}-${watched}-${weight}`;
}

/** Shifts the scale, so that the lightest cell holds weights of an eighth and below. */
const LIGHTEST = 3.5;

function level(value: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor(value)));
}

/** Weight by the policy, as of the last read of the record. */
export function weightOf({ worth }: Pick<RecordState, 'worth'>): Weight {
  return worth ?? ORDINARY;
}

/** Weight of records that no rule of the policy names. */
export const ORDINARY: Weight = { w: 1, g: 0 };
