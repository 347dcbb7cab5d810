import { API_VERSION } from '#shared/hubspot';
import { parseJson, SECOND_MS } from '#shared/kernel';
import type { Site } from './check.ts';

/**
 * Sends a request to HubSpot that only `doctor` needs.
 * @param path contains `{version}`.
 * @param asked body, sent as JSON by `POST`.
 */
export async function askHubSpot(
  { hubSpot, send }: Pick<Site, 'hubSpot' | 'send'>,
  path: string,
  asked?: object,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { status, body } = await send({
    method: asked ? 'POST' : 'GET',
    url: `${hubSpot.baseUrl}${path.replace('{version}', API_VERSION)}`,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${hubSpot.accessToken}`,
      ...(asked && { 'content-type': 'application/json' }),
    },
    ...(asked && { body: JSON.stringify(asked) }),
    timeoutMs: 10 * SECOND_MS,
  });
  return { status, body: parseJson(body) };
}
