import { API_VERSION } from '#shared/hubspot/transport.ts';
import { SECOND_MS } from '#shared/kernel/clock.ts';
import type { Connection } from '../connection/connection.ts';

/** One question to HubSpot that only the doctor has. @param path with `{version}` in it. */
export async function askHubSpot(
  { hubSpot, send }: Connection,
  path: string,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { status, body } = await send({
    method: 'GET',
    url: `${hubSpot.baseUrl}${path.replace('{version}', API_VERSION)}`,
    headers: { accept: 'application/json', authorization: `Bearer ${hubSpot.accessToken}` },
    timeoutMs: 10 * SECOND_MS,
  });
  return { status, body: jsonOf(body) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
