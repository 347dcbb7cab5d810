export { type ReviewLine, reviewLine, reviewLines } from './lines.ts';
export { createReviews, type ReviewPage, type Reviews, reviewExpiry, reviewPlace } from './reviews.ts';
export { FINDING_KINDS, type Finding, type FindingKind, reviewSchema } from './schemas.ts';
export { type Decided, isUndecided, type NewFinding } from './transitions.ts';
