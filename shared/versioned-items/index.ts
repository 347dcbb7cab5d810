export { type Changed, change, untilWon } from './change.ts';
export { createChangeTogether } from './change-together.ts';
export { FORMAT, readable } from './format.ts';
export { readCursor } from './page-cursor.ts';
export type { IndexedItems, IndexPosition, Versioned, VersionedItems } from './store.ts';
export { believedNow, type Clocks, refuseWrongClock, type StoreClock } from './store-clock.ts';
export { ITEM_TABLE } from './table.ts';
