import type { HubSpotClient } from '#shared/hubspot';
import type { OwnPortal } from '#shared/records';
import { settingsError } from './settings-error.ts';

/**
 * Stores the portal's id at the first start. Later starts check that the id is the same. Runs before the first write
 * to HubSpot.
 * @throws SettingsError if the access token belongs to another portal.
 */
export async function settlePortal(services: {
  readonly portal: OwnPortal;
  readonly hubSpot: Pick<HubSpotClient, 'accountDetails'>;
}): Promise<void> {
  const own = await services.portal.learn();
  const { portalId: portal } = await services.hubSpot.accountDetails();
  if (portal !== own.portalId)
    throw settingsError('portal-is-another', { own: own.portalId, by: own.by, portal });
}
