import { type HttpRequest, httpError, type Send } from '#shared/http';
import { DATA_SERVICE_URL, HUBSPOT_URL } from './addresses.ts';

/** One record's part of a batch update. */
export interface SentWrite {
  readonly id: string;
  readonly properties: Readonly<Record<string, string>>;
}

/** Records requests to the two services, and can refuse connections. */
export function createWire(send: Send) {
  const requests: HttpRequest[] = [];
  const cut = new Set<string>();
  const to = (base: string) => requests.filter(({ url }) => url.startsWith(base));
  return {
    send: (async (request) => {
      if (cut.has(new URL(request.url).origin)) throw httpError({ code: 'HTTP_NOT_SENT', retryable: true });
      requests.push(request);
      return send(request);
    }) satisfies Send,
    /** Requests to the data service, as path and query, without the free key checks. */
    questions: (): string[] =>
      to(DATA_SERVICE_URL)
        .map(({ url }) => url.slice(DATA_SERVICE_URL.length))
        .filter((path) => !path.includes('auth')),
    /** Requests to HubSpot, as path and query. */
    hubSpotRequests: (): string[] => to(HUBSPOT_URL).map(({ url }) => url.slice(HUBSPOT_URL.length)),
    /** Writes that were sent to HubSpot, record by record. */
    writes: (): SentWrite[] =>
      to(HUBSPOT_URL)
        .filter(({ url }) => url.endsWith('/batch/update'))
        .flatMap(({ body = '{}' }) => JSON.parse(body).inputs),
    /** Forgets all requests so far. */
    forget: () => {
      requests.length = 0;
    },
    disconnect: (service: 'data-service' | 'hubspot') =>
      void cut.add(service === 'hubspot' ? HUBSPOT_URL : DATA_SERVICE_URL),
    reconnect: () => cut.clear(),
  };
}
