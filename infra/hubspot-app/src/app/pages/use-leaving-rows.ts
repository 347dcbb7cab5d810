import { useState } from 'react';

interface KeptRow<R> {
  readonly row: R;
  readonly place: number;
  readonly hasLeft: boolean;
}

export interface LeavingRows<R> {
  readonly rows: readonly R[];
  /** Keeps the row, also if the figures do not list it any more. */
  readonly keep: (row: R) => void;
  /** Shows the row only as long as the figures list it. */
  readonly release: (row: R) => void;
  /** Hides the row, also while the figures still list it. */
  readonly leave: (row: R) => void;
}

/** Rows that stay while a person decides about them, and leave after the decision. */
export function useLeavingRows<R>(listed: readonly R[], keyOf: (row: R) => string): LeavingRows<R> {
  const [kept, setKept] = useState<ReadonlyMap<string, KeptRow<R>>>(new Map());
  const put = (row: R, hasLeft: boolean) => {
    const place = listed.indexOf(row);
    setKept((known) => new Map(known).set(keyOf(row), { place, ...known.get(keyOf(row)), row, hasLeft }));
  };
  const rows = listed.filter((row) => !kept.get(keyOf(row))?.hasLeft);
  for (const { row, place, hasLeft } of kept.values())
    if (!hasLeft && !rows.some((each) => keyOf(each) === keyOf(row))) rows.splice(place, 0, row);
  return {
    rows,
    keep: (row) => put(row, false),
    leave: (row) => put(row, true),
    release: (row) => setKept((known) => new Map([...known].filter(([key]) => key !== keyOf(row)))),
  };
}
