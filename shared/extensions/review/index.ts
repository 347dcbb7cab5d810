export { type Acceptance, acceptFindings, type FindingName, type FoundAnswer } from './accept.ts';
export { previewFindings, shownValue } from './preview.ts';
