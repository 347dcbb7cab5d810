export { keepAddressTogether } from './address.ts';
export { adds, answerKeyOf, canFill } from './coverage.ts';
export {
  acceptedJob,
  employerProperties,
  isJobField,
  keepEmployerTogether,
  leftBehind,
  outOfShadow,
} from './employer.ts';
export {
  ENRICHMENT_GROUP,
  enrichmentProperties,
} from './enrichment-properties.ts';
export { ENRICHMENT_STATUSES, type EnrichmentStatus, STATUS_LABELS } from './enrichment-statuses.ts';
export { type FieldRule, WRITE_MODES, type WriteMode } from './field-rule.ts';
export { installationMark, MARKED_PROPERTY, type MarkSeen, markSeen, withMark } from './installation-mark.ts';
export { KNOWN_INDUSTRIES } from './mapping/industry-options.ts';
export { leftoversOf } from './mapping/leftovers.ts';
export { type Dropped, mapAnswer, type Proposal, textAt } from './mapping/map-answer.ts';
export { KNOWN_SENIORITIES, matchOption } from './mapping/options.ts';
export {
  createExactForm,
  createMark,
  createNormalise,
  holdsSeveral,
  lastWrittenMarks,
  type Mark,
  membersOf,
  missingPart,
  type Normalise,
  toCalendarDate,
} from './normal-form.ts';
export { type Policy, type PolicyInput, parsePolicy, WEIGHTS, type Weight } from './policy.ts';
export { PolicyError, type PolicyFault } from './policy-faults.ts';
export {
  type Admission,
  admissionOf,
  admissionsOf,
  isRefreshed,
  noticeDueMs,
  propertiesOfNotices,
  propertiesOfRules,
  propertyOf,
} from './whom/admission.ts';
export {
  type AnswerTimes,
  mayHaveExpired,
  propertiesOfRetention,
  type Retention,
  retentionOf,
} from './whom/retention.ts';
export { fittingFaults, ruleFaults } from './whom/rule-faults.ts';
export { type ComparisonName, comparisonIn, type WhomCondition } from './whom/schemas.ts';
