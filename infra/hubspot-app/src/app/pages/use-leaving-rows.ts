import { useState } from 'react';

/** Time for which a decided row says what happened. */
const SHOWN_MS = 10_000;

interface DecidedRow<R> {
  readonly row: R;
  readonly place: number;
  readonly hasLeft: boolean;
}

export interface LeavingRows<R> {
  readonly rows: readonly R[];
  /**
   * Keeps the row, also if the figures do not list it any more: for some seconds, or until a person closes it if it
   * offers another action.
   */
  readonly onDecided: (row: R, hasOffer: boolean) => void;
  /** Hides the row, also while the figures still list it. */
  readonly leave: (row: R) => void;
}

/** Rows that stay for some seconds after their decision, and leave then. */
export function useLeavingRows<R>(listed: readonly R[], keyOf: (row: R) => string): LeavingRows<R> {
  const [decided, setDecided] = useState<ReadonlyMap<string, DecidedRow<R>>>(new Map());
  const put = (row: R, hasLeft: boolean) => {
    const place = listed.indexOf(row);
    setDecided((known) => new Map(known).set(keyOf(row), { place, ...known.get(keyOf(row)), row, hasLeft }));
  };
  const rows = listed.filter((row) => !decided.get(keyOf(row))?.hasLeft);
  for (const { row, place, hasLeft } of decided.values())
    if (!hasLeft && !rows.some((each) => keyOf(each) === keyOf(row))) rows.splice(place, 0, row);
  return {
    rows,
    leave: (row) => put(row, true),
    onDecided: (row, hasOffer) => {
      put(row, false);
      if (!hasOffer) setTimeout(() => put(row, true), SHOWN_MS);
    },
  };
}
