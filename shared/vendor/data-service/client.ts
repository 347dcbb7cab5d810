import {
  type HttpRequest,
  type HttpResponse,
  type RetryDecision,
  type RetryPolicy,
  type SendResult,
  sendWithRetries,
} from '#shared/http';
import { assert, UpstreamError } from '#shared/kernel';
import type { VendorSettings } from '../opening.ts';
import { readServiceAnswer, type ServiceAnswer } from './answer.ts';
import { failureOfStatus, failureOfTransport } from './failures.ts';
import { plainWordsOf } from './miss-words.ts';
import { isFree, OPERATIONS, type OperationName } from './operations.ts';
import { checkedParameters } from './schemas.ts';

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
