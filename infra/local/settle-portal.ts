import type { HubSpotClient } from '#shared/hubspot';
import { accountMismatch, type OwnPortal } from '#shared/records';
import { SettingsError } from './settings.ts';

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
  const problem = accountMismatch(own, await services.hubSpot.accountDetails());
  if (problem) throw new SettingsError(`${problem.seen}: ${problem.advice}.`);
}
