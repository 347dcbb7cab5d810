import { createDataServiceClient } from '#inside/vendor/data-service/client.ts';
import type { HttpRequest, HttpResponse, Send } from '#shared/http';
import { DataServiceError } from '#shared/vendor';

type Settings = Parameters<typeof createDataServiceClient>[0];
export type DriftNotice = Parameters<NonNullable<Settings['onDrift']>>[0];

export const NOON_MS = Date.UTC(2030, 0, 1, 12);

export function answered(status: number, body: unknown, headers: Record<string, string> = {}): HttpResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, body: text, receivedAtMs: NOON_MS };
}

export function success(data: unknown, more: Record<string, unknown> = {}): HttpResponse {
  return answered(200, { data, statusCode: 200, message: 'Success', ...more });
}

export function created(data: unknown): HttpResponse {
  return answered(201, { data, statusCode: 201, message: 'Success' });
}

/** A client whose requests are answered by a function, and remembered. */
export function clientOver(
  reply: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>,
  options: Partial<Settings> = {},
) {
  const requests: HttpRequest[] = [];
  const send: Send = async (request) => {
    requests.push(request);
    return reply(request);
  };
  const client = createDataServiceClient({
    baseUrl: 'https://data.example/',
    apiKey: 'key-1',
    send,
    timeoutMs: 30_000,
    clock: { now: () => NOON_MS, monotonic: () => 0, sleep: async () => undefined },
    random: () => 0,
    ...options,
  });
  return { client, requests };
}

export async function failureOf(calling: Promise<unknown>): Promise<DataServiceError> {
  const error = await calling.then(
    () => new Error('it was answered'),
    (reason: unknown) => reason,
  );
  if (error instanceof DataServiceError) return error;
  throw error;
}
