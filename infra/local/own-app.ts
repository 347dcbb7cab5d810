import { askHubSpot, type OwnApp, type Site } from '../doctor/check.ts';
import { tokenInfoSchema } from '../doctor/schemas.ts';
import { failureOf } from './failure.ts';

const TOKEN_INFO = '/oauth/v2/private-apps/get/access-token-info';

/**
 * Asks HubSpot for the app of the access token. A failure is returned, not thrown, because work can continue without
 * the id.
 */
export async function readOwnApp(
  site: Pick<Site, 'hubSpot' | 'send'>,
  settingId: string | undefined,
): Promise<OwnApp> {
  try {
    const tokenKey = site.hubSpot.accessToken;
    const { status, body } = await askHubSpot(site, TOKEN_INFO, { tokenKey });
    const returnedId = status === 200 ? tokenInfoSchema.safeParse(body).data?.appId : undefined;
    return returnedId
      ? { returnedId, settingId }
      : { settingId, problem: `HubSpot answers with status ${status}` };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return { settingId, problem: failure.message.replace(/\.$/, '') };
  }
}

export function appIdOf({ returnedId, settingId }: OwnApp): string | undefined {
  return returnedId ?? settingId;
}
