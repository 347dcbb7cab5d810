import type { HubSpotClient } from '#shared/hubspot';
import { accountMismatch, type OwnPortal } from '#shared/records';
import { SettingsError } from './settings.ts';

/**
 * Comes before the first write to HubSpot: learns whose portal it is, or sees that it still is that one.
 * @throws SettingsError where the access token belongs to another portal.
 */
export async function settlePortal(services: {
  readonly portal: OwnPortal;
  readonly hubSpot: Pick<HubSpotClient, 'accountDetails'>;
}): Promise<void> {
  const own = await services.portal.learn();
  const problem = accountMismatch(own, await services.hubSpot.accountDetails());
  if (problem) throw new SettingsError(`${problem.seen}: ${problem.advice}.`);
}
