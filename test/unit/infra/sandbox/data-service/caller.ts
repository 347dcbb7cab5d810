import { parseJson } from '#shared/kernel';
import {
  createDataServiceSandbox,
  type DataServiceSandboxOptions,
} from '../../../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { createManualClock } from '../../../../harness/manual-clock.ts';

export const START_MS = Date.UTC(2026, 10, 20, 12, 0, 0);

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into answers of every shape
  readonly body: any;
}

const BASE = 'http://data-service.test';

/** A stand-in with a generous rate and a short way to call it. */
export function createCaller(options: Partial<DataServiceSandboxOptions> = {}) {
  const clock = createManualClock({ startMs: START_MS, autoAdvance: true });
  const sandbox = createDataServiceSandbox({
    clock,
    ...options,
    settings: { rateLimitPerMinute: 1_000_000, creditBalance: 1_000_000, ...options.settings },
  });

  async function send(path: string, init: RequestInit = {}): Promise<Reply> {
    const headers = { 'x-api-key': 'sandbox-key', ...init.headers };
    const response = await sandbox.handle(new Request(BASE + path, { ...init, headers }));
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parseJson(text) };
  }

  return {
    sandbox,
    clock,
    send,
    get: (path: string, query: Record<string, string> = {}) => send(`${path}?${new URLSearchParams(query)}`),
    post: (path: string, body: unknown) => send(path, { method: 'POST', body: JSON.stringify(body) }),
    settings: (change: unknown) =>
      send('/_sandbox/settings', { method: 'PUT', body: JSON.stringify(change) }),
    bill: async () => (await send('/_sandbox/bill')).body,
  };
}

export const AUTH = '/api/v1/public/auth';
export const EMPLOYEE_SEARCH = '/api/v1/company/employee-search';
export const PEOPLE_PROFILE = '/api/v1/people/profile';
export const REVERSE_EMAIL = '/api/v1/people/lookup/email';
export const REVERSE_PHONE = '/api/v1/people/lookup/phone';

export function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The world has nothing of this kind.');
  return value;
}
