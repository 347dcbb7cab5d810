import {
  type HttpRequest,
  type HttpResponse,
  type RetryDecision,
  type RetryPolicy,
  type Send,
  type SendResult,
  sendWithRetries,
} from '#shared/http';
import { assert, type Clock, type Random, UpstreamError } from '#shared/kernel';
import { readServiceAnswer } from './answer.ts';
import { failureOfStatus, failureOfTransport } from './failures.ts';
import { plainWordsOf } from './miss-words.ts';
import { isFree, OPERATIONS, type OperationName } from './operations.ts';
import { checkedParameters } from './parameter-rules.ts';
import type { CallOptions, DataServiceClient } from './types.ts';

export interface DriftNotice {
  readonly operation: OperationName;
  /** As in `ServiceAnswer.drift`, or a canonical field with the reason why its value is no value. */
  readonly field: string;
}

export interface DataServiceClientOptions {
  /** http or https, without the path that starts with `/api`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly send: Send;
  /** Timeout of a whole call. The service takes about three seconds on average (specification: Rate limit). */
  readonly timeoutMs: number;
  /** Called a single time for each field of an operation that has an unexpected type. */
  readonly onDrift?: (notice: DriftNotice) => void;
  /**
   * Called for each miss with an unpublished wording. Receives only words of the wording that are not personal data.
   */
  readonly onUnknownMiss?: (words: string) => void;
  /**
   * With `clock` and `random`, the free key check is retried if it was provably not sent. Paid calls are never retried.
   */
  readonly clock?: Clock;
  readonly random?: Random;
}

export function createDataServiceClient(options: DataServiceClientOptions): DataServiceClient {
  const { onDrift = () => undefined, onUnknownMiss = () => undefined } = options;
  const drift = createDriftLog(onDrift);
  const baseUrl = checkedBaseUrl(options.baseUrl);
  assert(/^[\x21-\x7e]+$/.test(options.apiKey), 'the API key consists of visible characters');

  return {
    call: async (name, params, callOptions = {}) => {
      const parameters = checkedParameters(name, params);
      const request = requestFor(name, { parameters, baseUrl, callOptions, options });
      const response = await sendOnce({ name, request, options });
      if (response.status < 200 || response.status > 299) {
        const failure = failureOfStatus(name, response);
        if (failure.code === 'DATA_SERVICE_NOT_FOUND' && !failure.isTextPublished) {
          drift.record(name, ['no-match-wording-unknown']);
          onUnknownMiss(plainWordsOf(failure.vendorText ?? ''));
        }
        throw failure;
      }
      const answer = readServiceAnswer(name, response);
      drift.record(name, answer.drift);
      return answer;
    },
  };
}

/**
 * @param onDrift called only for the first drift of each field, because a vendor that changes a type changes it in every
 *   answer.
 */
export function createDriftLog(onDrift: (notice: DriftNotice) => void) {
  const seen = new Set<string>();
  return {
    record: (operation: OperationName, fields: readonly string[]) => {
      for (const field of fields) {
        const key = `${operation} ${field}`;
        if (!seen.has(key)) onDrift({ operation, field });
        seen.add(key);
      }
    },
  };
}

/** Limits for retries of the free key check. They cover a short failure of DNS or of the server. */
const FREE_RETRIES: RetryPolicy = { maxAttempts: 3, baseDelayMs: 200, maxDelayMs: 2_000 };

function requestFor(
  name: OperationName,
  call: {
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly baseUrl: string;
    readonly callOptions: CallOptions;
    readonly options: DataServiceClientOptions;
  },
): HttpRequest {
  const { parameters, baseUrl, callOptions, options } = call;
  const { method, path } = OPERATIONS[name];
  const isPost = method === 'POST';
  const { signal, timeoutMs = options.timeoutMs } = callOptions;
  return {
    method,
    url: `${baseUrl}${path}${isPost ? '' : queryOf(parameters)}`,
    headers: {
      accept: 'application/json',
      'x-api-key': options.apiKey,
      ...(isPost && { 'content-type': 'application/json' }),
    },
    ...(isPost && { body: JSON.stringify(parameters) }),
    timeoutMs,
    ...(signal && { signal }),
    freshConnection: !isFree(name),
  };
}

function queryOf(parameters: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

async function sendOnce(exchange: {
  readonly name: OperationName;
  readonly request: HttpRequest;
  readonly options: DataServiceClientOptions;
}): Promise<HttpResponse> {
  const { name, request } = exchange;
  const { send, clock, random } = exchange.options;
  try {
    if (!isFree(name) || !clock || !random) return await send(request);
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
