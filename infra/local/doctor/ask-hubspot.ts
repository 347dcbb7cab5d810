import { API_VERSION } from '#shared/hubspot';
import { parseJson, SECOND_MS } from '#shared/kernel';
import type { Site } from './site.ts';

/** One question to HubSpot that only the doctor has. @param path with `{version}` in it. */
export async function askHubSpot(
  { hubSpot, send }: Site,
  path: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { status, body } = await send({
    method: 'GET',
    url: `${hubSpot.baseUrl}${path.replace('{version}', API_VERSION)}`,
    headers: { accept: 'application/json', authorization: `Bearer ${hubSpot.accessToken}` },
    timeoutMs: 10 * SECOND_MS,
  });
  return { status, body: parseJson(body) };
}
