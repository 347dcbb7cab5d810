export { dueRecords, mayBeDue, retentionStep } from './expire-values.ts';
export { planRemovals } from './plan-removal.ts';
export { type ObtainedIn, recallValues } from './recall.ts';
export { removeValues } from './remove-values.ts';
export { TAKE_BACK_REPLIES } from './reply-texts.ts';
export { undoWish, wrongMatchWish } from './schemas.ts';
export { takeBackWishes } from './wishes.ts';
