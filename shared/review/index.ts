export { decisionWords, findingWords, type ReviewLine, reviewLine, reviewLines } from './lines.ts';

export { createReviews, type ReviewPage, type Reviews } from './reviews.ts';
export {
  FINDING_KINDS,
  type Finding,
  type FindingKind,
  type FindingState,
  type ShownPreview,
} from './schemas.ts';
export { previewKind, reviewKind } from './stored-kinds.ts';
export { type Decided, isUndecided, type NewFinding } from './transitions.ts';
