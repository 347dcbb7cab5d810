import type { GeneratedRequest } from './transport.ts';

/** HubSpot's address and the app's access token. */
export interface Address {
  readonly baseUrl: string;
  readonly accessToken: string;
}

interface Plain {
  readonly method: 'GET' | 'POST';
  /** Includes the version. */
  readonly path: string;
  readonly body?: unknown;
}

/** Builds a request to an API for which this program uses no generated client. */
export function plainRequest(
  { baseUrl, accessToken }: Address,
  { method, path, body }: Plain,
): GeneratedRequest {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return {
    getUrl: () => `${baseUrl}${path}`,
    getHttpMethod: () => method,
    getHeaders: () => ({ Accept: 'application/json', Authorization: `Bearer ${accessToken}`, ...type }),
    getBody: () => (body === undefined ? undefined : JSON.stringify(body)),
  };
}
