/**
 * Exports for code that spends nothing: operations, prices, and the types of answers and errors. Has no network access.
 * The client is in `client.ts`.
 */
export { DataServiceError } from './errors.ts';
export {
  OPERATIONS,
  type OperationName,
  type OperationRow,
  PARAMETER_KINDS,
  PARAMETER_WORDS,
  type ParameterKind,
  type SearchOperation,
} from './operations.ts';
export { pagesOf } from './pagination.ts';
export { type PricedCall, priceOfCall, priceOfNoMatch, worstCase } from './pricing.ts';
export { isPublishedText } from './published-texts.ts';
export type { CompanyProfileRecord, PersonRecord, Workspace } from './schemas.ts';
export { type DataServiceClient, type ServiceRate, UNUSABLE } from './types.ts';
