export { type Changed, change, untilWon } from './change.ts';
export { createChangeTogether } from './change-together.ts';
export { FORMAT } from './format.ts';
export {
  type IndexedItems,
  openItems,
  type PlacedItems,
  type Replaced,
  replacing,
  type Storage,
  type VersionedItems,
} from './items.ts';
export { joinReads } from './join-reads.ts';
export { type IndexPosition, type ItemKey, kind, type RetentionPolicy } from './kind.ts';
export { readCursor } from './page-cursor.ts';
export {
  ITEM_TABLE,
  OWNERS,
  type Owners,
  type Scope,
  storedKey,
  TABLE_DEFINITIONS,
  TABLE_NAMES,
  type TableName,
} from './table.ts';
export {
  check,
  type Known,
  type Place,
  put,
  remove,
  type Store,
  type StoreWrite,
  type Together,
  type TogetherStore,
} from './transactions.ts';
