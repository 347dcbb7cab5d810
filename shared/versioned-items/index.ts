export { type Changed, change, untilWon } from './change.ts';
export { createChangeTogether } from './change-together.ts';
export { FORMAT, readable } from './format.ts';
export { kind, type RetentionPolicy } from './kind.ts';
export { readCursor } from './page-cursor.ts';
export {
  type IndexedItems,
  type IndexPosition,
  type ItemKey,
  type Replaced,
  replacing,
  replacingWritten,
  type Versioned,
  type VersionedItems,
} from './store.ts';
export {
  INDEXED_TABLES,
  ITEM_TABLE,
  inAccount,
  TABLE_DEFINITIONS,
  TABLE_NAMES,
  type TableName,
} from './table.ts';
