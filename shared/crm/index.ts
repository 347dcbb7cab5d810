export {
  askerOfSource,
  askerWords,
  generalAsker,
  isPersonSource,
  LANES,
  type Lane,
  laneOf,
  moreUrgent,
  PURPOSE_LABELS,
  PURPOSES,
  type Purpose,
  purposeOfSource,
  readAsker,
  sourceOfAsker,
} from './asker.ts';
export {
  type CompletedAction,
  type CreatedRecord,
  type Crm,
  type CrmAttempt,
  type CrmReading,
  type CrmVersion,
  type CrmWriteResult,
  type NewProperty,
  type SweepWindow,
  WRITES_AT_ONCE,
} from './crm.ts';
export type { DefinedOption, PropertyDefinition, PropertyDefinitions } from './crm-record.ts';
export {
  byObjectType,
  type CrmRecord,
  isAboutPerson,
  keyInPortal,
  nameForBuyer,
  nameOfKey,
  OBJECT_TYPE_ROWS,
  OBJECT_TYPES,
  type ObjectType,
  objectTypeNamed,
  type RecordName,
  recordKey,
  wordsOfKey,
} from './crm-record.ts';
export {
  type HubSpotFailure,
  type HubSpotFailureCode,
  hubSpotFailureKind,
  isHubSpotFailure,
} from './hubspot-failures.ts';
export { shownValue } from './shown-value.ts';
