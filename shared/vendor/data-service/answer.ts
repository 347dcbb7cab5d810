import type { HttpResponse } from '#shared/http';
import { parseJson } from '#shared/kernel';
import type { ServiceRate } from './errors.ts';
import { malformedAnswer } from './failures.ts';
import { OPERATIONS, type OperationName, type OperationRow } from './operations.ts';
import { readRateHeaders } from './rate-headers.ts';
import { isAbsent, isObject } from './schemas.ts';

type ServiceRecord = Readonly<Record<string, unknown>>;

export interface ServiceAnswer {
  /** The readable records, as the service sent them: one, or for a search a list. */
  readonly records: readonly ServiceRecord[];
  /** Number of charged results: for a search all items, including unreadable ones; otherwise 1. */
  readonly results: number;
  /** Employee search only. `total_employees_found` counts all matching employees, not only those on this page. */
  readonly companyInfo?: ServiceRecord | undefined;
  /** Employee search only. */
  readonly pagination?: { readonly has_more: boolean } | undefined;
  /** `undefined` if the headers are missing or unreadable. */
  readonly rate: ServiceRate | undefined;
  readonly requestId?: string | undefined;
  /** What differs from the specification outside of the records, such as `pagination.has_more`. */
  readonly drift: readonly string[];
}

/**
 * Parses a response with a success status. A deviation outside of the records counts as drift and not as a failure,
 * because the records are usable and paid for.
 * @throws DataServiceError `DATA_SERVICE_MALFORMED_ANSWER` if `data` is missing or does not fit the operation
 */
export function readServiceAnswer(operation: OperationName, response: HttpResponse): ServiceAnswer {
  const malformed = (message: string) => malformedAnswer(operation, { response, message });
  const body = parseJson(response.body);
  if (body === undefined) throw malformed('The answer of the data service is not JSON.');
  if (!isObject(body)) throw malformed('The answer of the data service is not a JSON object.');
  const { data } = body;
  if (isAbsent(data)) throw malformed('The answer of the data service lacks data.');
  const { page, successStatus }: OperationRow = OPERATIONS[operation];
  const drift: string[] = [];
  const given: unknown = page ? data : [data];
  const records = Array.isArray(given) ? given.filter(isObject) : [];
  if (!Array.isArray(given) || (!page && records.length === 0))
    throw malformed('The data of the answer does not fit the operation.');
  if (records.length < given.length) drift.push('[]');
  if (body['statusCode'] !== successStatus || response.status !== successStatus)
    drift.push('envelope.statusCode');
  if (typeof body['message'] !== 'string') drift.push('envelope.message');
  const isOfEmployees = operation === 'searchEmployees';
  const { company_info: companyInfo, pagination } = isOfEmployees ? body : {};
  const hasMore = isObject(pagination) ? pagination['has_more'] : undefined;
  if (isOfEmployees && !isObject(companyInfo)) drift.push('company_info');
  if (isOfEmployees && typeof hasMore !== 'boolean') drift.push('pagination.has_more');
  return {
    records,
    results: given.length,
    companyInfo: isObject(companyInfo) ? companyInfo : undefined,
    pagination: typeof hasMore === 'boolean' ? { has_more: hasMore } : undefined,
    rate: readRateHeaders(response),
    requestId: response.headers['x-request-id'],
    drift,
  };
}
