/**
 * Exports for code that spends nothing: the vendor's lookups, and the types of answers and errors. Has no network
 * access. The folder `in-use` lists the vendors.
 */
export { VENDORS } from '#vendors/offers';
export { DataServiceError, isPublishedText } from './data-service/errors.ts';
export { callOf, identifiersIn } from './data-service/lookups.ts';
export {
  OPERATIONS,
  type OperationName,
  type OperationRow,
  PARAMETER_KINDS,
  PARAMETER_WORDS,
  type ParameterKind,
  type SearchOperation,
} from './data-service/operations.ts';
export { pagesOf } from './data-service/pagination.ts';
export {
  type CallResult,
  COMPANY_FIELDS,
  type Company,
  FIELD_OF_OPTION,
  IDENTIFIERS,
  type Identifier,
  type Identifiers,
  type KeyAnswer,
  type Lookup,
  PERSON_FIELDS,
  type Person,
  QUESTION_OPTIONS,
  type QuestionOption,
  type RateReport,
  UNUSABLE,
  type VendorClient,
  type VendorOffer,
} from './vendor.ts';
