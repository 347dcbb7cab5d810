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
  createExactForm,
  createMark,
  createNormalise,
  type FieldRule,
  holdsSeveral,
  isWorthLookup,
  lastWrittenMarks,
  type Mark,
  membersOf,
  missingPart,
  type Normalise,
  toCalendarDate,
  WRITE_MODES,
  type WriteMode,
} from './field-rule.ts';
export {
  type Dropped,
  KNOWN_INDUSTRIES,
  KNOWN_SENIORITIES,
  leftoversOf,
  mapAnswer,
  matchOption,
  misfitWords,
  type Proposal,
  textAt,
} from './mapping.ts';

export { type Policy, type PolicyInput, parsePolicy, WEIGHTS, type Weight } from './policy.ts';
export { PolicyError, type PolicyFault } from './policy-faults.ts';
export {
  type Admission,
  type AnswerTimes,
  admissionOf,
  admissionsOf,
  fittingFaults,
  isRefreshed,
  mayHaveExpired,
  noticeDueMs,
  propertiesOfNotices,
  propertiesOfRetention,
  propertiesOfRules,
  propertyOf,
  type Retention,
  retentionOf,
  ruleFaults,
} from './whom/admission.ts';

export { type ComparisonName, comparisonIn, type WhomCondition } from './whom/schemas.ts';
