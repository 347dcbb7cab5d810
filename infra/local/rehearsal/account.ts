import type { HttpRequest, Send } from '#shared/http';
import { API_VERSION } from '#shared/hubspot';
import { type Clock, SECOND_MS } from '#shared/kernel';
import { isRecord } from './json-parts.ts';

/** An answer exactly as HubSpot sent it. A rehearsal checks headers and unusual formats, which our client hides. */
export interface RawAnswer {
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` if the body is not JSON. */
  readonly json: unknown;
  readonly tookMs: number;
}

/**
 * Read access to the account. With only this access, a step changes nothing; it changes records through
 * `own-records.ts`.
 */
export interface ReadAccount {
  get(path: string): Promise<RawAnswer>;
  /** Sends a `POST` that changes nothing. @param once returns a 429 at once, instead of waiting and retrying */
  query(path: string, body: unknown, once?: 'once'): Promise<RawAnswer>;
  queryArchived(path: string, body: unknown): Promise<RawAnswer>;
  /** Reads the token's app id, account id and scopes. */
  tokenInfo(): Promise<RawAnswer>;
  /** Time of the slowest answer so far, in milliseconds. */
  slowestMs(): number;
}

export interface WriteAccount extends ReadAccount {
  write(path: string, body: unknown, method?: 'POST' | 'PUT'): Promise<RawAnswer>;
}

export interface AccountAccess {
  readonly send: Send;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly accessToken: string;
}

/** Longer than the timeout of our client, so that a slow answer is measured. */
const TIMEOUT_MS = 30 * SECOND_MS;
const LIMIT_PAUSE_MS = 10 * SECOND_MS;
const ATTEMPTS = 4;

export const OBJECTS = `/crm/objects/${API_VERSION}`;
export const ASSOCIATIONS = `/crm/associations/${API_VERSION}`;
const TOKEN_INFO = '/oauth/v2/private-apps/get/access-token-info';
const CHANGES_NOTHING = /\/(?:search|batch\/read)$/;

export function openAccount(
  { send, clock, baseUrl, accessToken }: AccountAccess,
  signal?: AbortSignal,
): WriteAccount {
  let slowestMs = 0;
  const once = async (method: string, path: string, body?: unknown): Promise<RawAnswer> => {
    signal?.throwIfAborted();
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    const request: HttpRequest = {
      method,
      url: `${baseUrl}${path}`,
      headers,
      timeoutMs: TIMEOUT_MS,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const startedMs = clock.monotonic();
    const { status, headers: answered, body: text } = await send(request);
    const tookMs = clock.monotonic() - startedMs;
    slowestMs = Math.max(slowestMs, tookMs);
    return usableAnswer({ status, headers: answered, json: parsed(text), tookMs });
  };
  const patient = async (method: string, path: string, body?: unknown): Promise<RawAnswer> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await once(method, path, body);
      if (answer.status !== 429 || attempt === ATTEMPTS) return answer;
      await clock.sleep(LIMIT_PAUSE_MS, signal);
    }
  };
  return {
    get: (path) => patient('GET', path),
    query: async (path, body, how) =>
      how === 'once' ? once('POST', harmless(path), body) : patient('POST', harmless(path), body),
    queryArchived: async (path, body) => patient('POST', `${harmless(path)}?archived=true`, body),
    tokenInfo: () => patient('POST', TOKEN_INFO, { tokenKey: accessToken }),
    write: (path, body, method = 'POST') => patient(method, path, body),
    slowestMs: () => slowestMs,
  };
}

function harmless(path: string): string {
  if (CHANGES_NOTHING.test(path)) return path;
  throw new Error(`${path} may change something.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The body is empty or a proxy's page. The status is enough.
    return undefined;
  }
}

/** The step cannot continue. The reason contains only statuses and codes. */
export class StepStopped extends Error {}

/** The token is no longer valid, so no later step can run. */
export class TokenRefused extends StepStopped {}

/**
 * Returns the answer. Throws for a refused token or an outage, because these do not show whether an assumption is true.
 */
function usableAnswer(answer: RawAnswer): RawAnswer {
  if (answer.status === 401) throw new TokenRefused(refusalWords(answer));
  if (answer.status >= 500) throw new StepStopped(refusalWords(answer));
  return answer;
}

/** @throws StepStopped if the answer has another status */
export function expectStatus(answer: RawAnswer, ...statuses: readonly number[]): RawAnswer {
  if (statuses.includes(answer.status)) return answer;
  throw new StepStopped(refusalWords(answer));
}

/** Returns only codes, such as `HTTP 403 MISSING_SCOPES`, because a message could contain values. */
function refusalWords({ status, json }: RawAnswer): string {
  const label = isRecord(json) ? (json['category'] ?? json['errorType']) : undefined;
  const isCode = typeof label === 'string' && /^[A-Z_]{3,40}$/.test(label);
  return isCode ? `HTTP ${status} ${label}` : `HTTP ${status}`;
}
