export { type Changed, change, createChangeTogether, untilWon } from './change.ts';
export {
  type IndexedItems,
  type OpenItems,
  openItems,
  type PlacedItems,
  type Replaced,
  replacing,
  type Storage,
  type VersionedItems,
} from './items.ts';
export { joinReads } from './join-reads.ts';
export {
  type ExpiryPolicy,
  FORMAT,
  type IndexPosition,
  ITEM_TABLE,
  type ItemKey,
  kind,
  OWNERS,
  type Owners,
  type Scope,
  storedKey,
  TABLE_DEFINITIONS,
  TABLE_NAMES,
  type TableName,
} from './kind.ts';
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
