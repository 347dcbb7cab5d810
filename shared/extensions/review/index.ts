export { type Acceptance, acceptFindings, type FindingName } from './accept.ts';
export { previewFindings } from './preview.ts';
export { rejectFinding } from './reject-finding.ts';
export { REVIEW_REPLIES } from './reply-texts.ts';
export { acceptWish, previewWish, rejectWish } from './schemas.ts';
export { reviewWishes } from './wishes.ts';
