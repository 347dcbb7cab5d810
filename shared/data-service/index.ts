/**
 * The face of the data service's client for code that spends nothing: the operations and their prices, the shapes of
 * answers and errors. It reaches no network. The client itself is in `client.ts`.
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
export type { CompanyProfileRecord, PersonRecord, Workspace } from './schemas.ts';
export type { DataServiceClient, ServiceRate } from './types.ts';
