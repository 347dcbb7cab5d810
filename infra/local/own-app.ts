import { askHubSpot } from './doctor/ask-hubspot.ts';
import { tokenInfoSchema } from './doctor/schemas.ts';
import type { OwnApp, Site } from './doctor/site.ts';
import { failureOf } from './failure.ts';

const TOKEN_INFO = '/oauth/v2/private-apps/get/access-token-info';

/** Asks HubSpot whose access token it is. A failure of HubSpot is part of the result: work continues without the id. */
export async function readOwnApp(
  site: Pick<Site, 'hubSpot' | 'send'>,
  setting: string | undefined,
): Promise<OwnApp> {
  try {
    const tokenKey = site.hubSpot.accessToken;
    const { status, body } = await askHubSpot(site, TOKEN_INFO, { tokenKey });
    const told = status === 200 ? tokenInfoSchema.safeParse(body).data?.appId : undefined;
    return told ? { told, setting } : { setting, untold: `HubSpot answers with status ${status}` };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return { setting, untold: failure.message.replace(/\.$/, '') };
  }
}

export function appIdOf({ told, setting }: OwnApp): string | undefined {
  return told ?? setting;
}
