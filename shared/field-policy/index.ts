export { DEFAULT_FIELDS } from './default-fields.ts';
export {
  acceptedJob,
  employerProperties,
  isJobField,
  keepAddressTogether,
  keepEmployerTogether,
  leftBehind,
  outOfShadow,
} from './employer.ts';
export {
  ENRICHMENT_GROUP,
  ENRICHMENT_STATUSES,
  type EnrichmentStatus,
  enrichmentProperties,
  installationMark,
  JOB_CHANGE_PROPERTIES,
  MARKED_PROPERTY,
  type MarkSeen,
  markSeen,
  STATUS_LABELS,
  withMark,
} from './enrichment-properties.ts';
export {
  adds,
  answerKeyOf,
  canFill,
  type FieldRule,
  isWorthLookup,
  WRITE_MODES,
  type WriteMode,
} from './field-rule.ts';
export { misfitWords } from './mapping/conversion.ts';
export { type Dropped, leftoversOf, mapAnswer, type Proposal, textAt } from './mapping/map-answer.ts';
export { KNOWN_INDUSTRIES, KNOWN_SENIORITIES, matchOption } from './mapping/options.ts';
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
