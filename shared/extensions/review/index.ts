export { type Acceptance, acceptFindings, type FindingName, type FoundAnswer } from './accept.ts';
export { fitsIdentifier, previewFindings, shownValue } from './preview.ts';
