import {
  type HttpRequest,
  type HttpResponse,
  type RetryDecision,
  type RetryPolicy,
  type SendResult,
  sendWithRetries,
} from '#shared/http';
import { assert, parseJson, UpstreamError } from '#shared/kernel';
import type { VendorSettings } from '../opening.ts';
import type { ServiceRate } from './errors.ts';
import { failureOfStatus, failureOfTransport, malformedAnswer, readRateHeaders } from './failures.ts';
import { plainWordsOf } from './miss-words.ts';
import { isFree, OPERATIONS, type OperationName, type OperationRow } from './operations.ts';
import { checkedParameters, isAbsent, isObject } from './schemas.ts';

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
function readServiceAnswer(operation: OperationName, response: HttpResponse): ServiceAnswer {
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

/** Throws only `DataServiceError`. Every paid call is sent at most once. */
export interface DataServiceClient {
  /** Sends a request. @param params by the vendor's names */
  call(
    operation: OperationName,
    params: Readonly<Record<string, unknown>>,
    limits?: { readonly timeoutMs: number },
  ): Promise<ServiceAnswer>;
  /** Reports each field a single time, because a vendor that changes a type changes it in every answer. */
  reportDrift(operation: OperationName, fields: readonly string[]): void;
}

export function createDataServiceClient(settings: VendorSettings): DataServiceClient {
  const baseUrl = checkedBaseUrl(settings.baseUrl);
  assert(/^[\x21-\x7e]+$/.test(settings.apiKey), 'the API key consists of visible characters');
  const reported = new Set<string>();
  const reportDrift = (operation: OperationName, fields: readonly string[]) => {
    for (const field of fields) {
      const key = `${operation} ${field}`;
      if (!reported.has(key)) settings.onDrift?.({ operation, field });
      reported.add(key);
    }
  };
  return {
    reportDrift,
    call: async (name, params, { timeoutMs } = settings) => {
      const request = requestFor(name, checkedParameters(name, params), { ...settings, baseUrl, timeoutMs });
      const response = await sendOnce(name, request, settings);
      if (response.status < 200 || response.status > 299) {
        const failure = failureOfStatus(name, response);
        if (failure.code === 'DATA_SERVICE_NOT_FOUND' && !failure.isTextPublished) {
          reportDrift(name, ['no-match-wording-unknown']);
          settings.onUnknownMiss?.(plainWordsOf(failure.vendorText ?? ''));
        }
        throw failure;
      }
      const answer = readServiceAnswer(name, response);
      reportDrift(name, answer.drift);
      return answer;
    },
  };
}

/** Limits for retries of the free key check. They cover a short failure of DNS or of the server. */
const FREE_RETRIES: RetryPolicy = { maxAttempts: 3, baseDelayMs: 200, maxDelayMs: 2_000 };

function requestFor(
  name: OperationName,
  parameters: Readonly<Record<string, unknown>>,
  { baseUrl, apiKey, timeoutMs }: Pick<VendorSettings, 'baseUrl' | 'apiKey' | 'timeoutMs'>,
): HttpRequest {
  const { method, path } = OPERATIONS[name];
  const isPost = method === 'POST';
  return {
    method,
    url: `${baseUrl}${path}${isPost ? '' : queryOf(parameters)}`,
    headers: {
      accept: 'application/json',
      'x-api-key': apiKey,
      ...(isPost && { 'content-type': 'application/json' }),
    },
    ...(isPost && { body: JSON.stringify(parameters) }),
    timeoutMs,
    freshConnection: !isFree(name),
  };
}

function queryOf(parameters: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

async function sendOnce(
  name: OperationName,
  request: HttpRequest,
  { send, clock, random }: VendorSettings,
): Promise<HttpResponse> {
  try {
    if (!isFree(name)) return await send(request);
    const classify = retryIfNotSent;
    return await sendWithRetries({ send, request, classify, policy: FREE_RETRIES, clock, random });
  } catch (error) {
    if (error instanceof UpstreamError) throw failureOfTransport(name, error);
    throw error;
  }
}

/** Retries only attempts that were not sent, because every request counts against the rate, even a free one. */
function retryIfNotSent(attempt: SendResult): RetryDecision {
  if (attempt.kind === 'response') return { retry: false };
  return { retry: attempt.failure.code === 'HTTP_NOT_SENT' && attempt.failure.retryable };
}

function checkedBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  assert(
    url && /^https?:$/.test(url.protocol) && !url.search && !url.hash,
    'the base address is an http(s) URL',
  );
  return baseUrl.replace(/\/+$/, '');
}
