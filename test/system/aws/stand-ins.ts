import { randomBytes } from 'node:crypto';
import { systemClock as clock } from '#shared/kernel/adapters';
import {
  ACTIVE_KEYS,
  createDataServiceSandbox,
} from '../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { DEFAULT_SETTINGS } from '../../../infra/sandbox/hubspot/settings.ts';
import { serveSandbox } from '../../../infra/sandbox/serve.ts';
import { APP_ID, createPortal, type Properties, type RecordName } from '../../harness/hubspot-portal.ts';

export type StandIns = Awaited<ReturnType<typeof startStandIns>>;

/**
 * Starts HubSpot and the data service on local ports, where the deployed functions reach them. HubSpot signs its
 * webhooks and delivers them to its configured URL over the network.
 */
export async function startStandIns() {
  // New keys for each run, so that the test can search for them in all output.
  const keys = {
    hubSpotAccessToken: randomBytes(24).toString('hex'),
    hubSpotClientSecret: randomBytes(24).toString('hex'),
  };
  const portal = createPortal({
    clock,
    seed: 1,
    settings: {
      accessToken: keys.hubSpotAccessToken,
      clientSecret: keys.hubSpotClientSecret,
      webhookUrl: null,
    },
    saved: undefined,
    receive: fetch,
  });
  const dataService = createDataServiceSandbox({ clock });
  const servedHubSpot = await serveSandbox({ handle: portal.sandbox.handle, port: 0 });
  const servedDataService = await serveSandbox({ handle: dataService.handle, port: 0 });
  // Runs until the process ends.
  void portal.sandbox.startWebhooks(new AbortController().signal);
  return {
    portal,
    dataService,
    keys: { ...keys, dataServiceApiKey: ACTIVE_KEYS[0] ?? '' },
    appId: APP_ID,
    /** Creates a contact without a webhook. */
    createUnannounced: async (properties: Properties): Promise<RecordName> => {
      const { subscriptions } = DEFAULT_SETTINGS;
      await portal.change({ subscriptions: { crmObjects: [], hubEvents: [] } });
      const contact = await portal.create('contacts', properties);
      await portal.change({ subscriptions });
      return contact;
    },
    hubSpotUrl: servedHubSpot.url,
    dataServiceUrl: servedDataService.url,
    close: async () => {
      await servedHubSpot.close();
      await servedDataService.close();
    },
    /** Credits that the data service says it charged. */
    charged: () => dataService.bill().creditsCharged,
  };
}
