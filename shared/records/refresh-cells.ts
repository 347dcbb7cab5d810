import { OBJECT_TYPES, type ObjectType } from '#shared/crm';
import { PRIORS, type Weight } from './change-rate.ts';
import type { RecordState } from './schemas.ts';

/**
 * Records that can be refreshed lie in cells: of one cell, all are of one type, and change about as often and are about
 * as valuable. There the one whose answer is the oldest comes first, and is about the one whose refresh is worth most;
 * so of a million records only the heads of the cells have to be looked at.
 */
export type RefreshCell = `refresh-${ObjectType}-${number}-${number}-${number}`;

const CHANGES = 4;
const WATCHED = 4;
const WEIGHTS = 16;

/** Counted from 0. */
const levels = (count: number) => Array.from({ length: count }, (_, level) => level);

/** All there are: 512. */
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
  // While changes are rare, learning of one is worth as much as being right for its mean rate.
  const weight = level(Math.log2(w + (g * a) / b) + LIGHTEST, WEIGHTS);
  return `refresh-${objectType}-${changes}-${watched}-${weight}`;
}

/** The lightest cell holds weights of an eighth and below. */
const LIGHTEST = 3.5;

function level(value: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor(value)));
}

/** What its worth was when the record was last read. */
export function weightOf({ worth }: Pick<RecordState, 'worth'>): Weight {
  return worth ?? ORDINARY;
}

/** Of whom the policy says nothing. */
export const ORDINARY: Weight = { w: 1, g: 0 };
