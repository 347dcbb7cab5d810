export { dueRecords, expireValues, mayBeDue, type RetentionServices } from './expire-values.ts';
export { planRemovals } from './plan-removal.ts';
export { type ObtainedIn, recallValues } from './recall.ts';
export { removeValues } from './remove-values.ts';
export type { TakeBackServices } from './take-back.ts';
export { type UndoReport, type UndoResult, undoRecord, undoRecords } from './undo.ts';
