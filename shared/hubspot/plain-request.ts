import type { GeneratedRequest } from './transport.ts';

/** Where an account is, and who asks. */
export interface Address {
  readonly baseUrl: string;
  readonly accessToken: string;
}

interface Plain {
  readonly method: 'GET' | 'POST';
  /** With the version in it. */
  readonly path: string;
  readonly body?: unknown;
}

/** A request that none of the generated APIs imported here can build. */
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
