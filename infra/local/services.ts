import { systemClock } from '../../shared/kernel/clock.system.ts';
import {
  createDataServiceSandbox,
  type DataServiceSandbox,
} from '../sandbox/data-service/data-service-sandbox.ts';
import { createHubSpotSandbox, type HubSpotSandbox } from '../sandbox/hubspot/hubspot-sandbox.ts';
import { serveSandbox } from '../sandbox/serve.ts';
import type { SavedState } from './saved-state.ts';
import type { RealServices } from './settings.ts';

/** The two outside services, real or played. */
export interface Services {
  readonly dataService: { readonly baseUrl: string; readonly apiKey: string };
  readonly hubSpot: {
    readonly baseUrl?: string;
    readonly accessToken: string;
    readonly portalId?: string | undefined;
  };
  readonly clientSecret: string;
  readonly ownAppId?: string | undefined;
  readonly sandbox?: Sandbox | undefined;
  /** Lets the stand-in deliver its webhooks, once there is somebody to receive them. */
  start(): void;
  close(): Promise<void>;
}

export interface Sandbox {
  readonly hubSpot: HubSpotSandbox;
  readonly dataService: DataServiceSandbox;
  readonly hubSpotUrl: string;
  readonly dataServiceUrl: string;
}

export function realServices(real: RealServices): Services {
  return {
    dataService: { baseUrl: real.dataServiceBaseUrl, apiKey: real.dataServiceApiKey },
    hubSpot: {
      accessToken: real.hubSpotAccessToken,
      portalId: real.hubSpotPortalId,
      ...(real.hubSpotBaseUrl && { baseUrl: real.hubSpotBaseUrl }),
    },
    clientSecret: real.hubSpotClientSecret,
    start: () => undefined,
    close: async () => undefined,
  };
}

const TOKEN = 'sandbox-token';
const SECRET = 'sandbox-client-secret';
const APP_ID = 7_001;

/** Both stand-ins on ports of their own, as they were when they were last saved. */
export async function playedServices(saved: SavedState, webhookUrl: string): Promise<Services> {
  const dataService = createDataServiceSandbox({
    clock: systemClock,
    saved: saved.dataService,
    settings: { latencyMs: 150 },
  });
  // HubSpot spreads its retries over a day; somebody who watches does not wait that long.
  const settings = {
    webhookRetryScale: 0.001,
    accessToken: TOKEN,
    clientSecret: SECRET,
    appId: APP_ID,
    webhookUrl,
    latencyMs: 10,
  };
  const hubSpot = createHubSpotSandbox({ clock: systemClock, saved: saved.hubSpot, settings });
  const servedData = await serveSandbox({ handle: dataService.handle, port: 0 });
  const servedHubSpot = await serveSandbox({ handle: hubSpot.handle, port: 0 });
  const stopped = new AbortController();
  let delivering: Promise<void> | undefined;
  return {
    dataService: { baseUrl: servedData.url, apiKey: 'sandbox-key' },
    hubSpot: { baseUrl: servedHubSpot.url, accessToken: TOKEN },
    clientSecret: SECRET,
    ownAppId: String(APP_ID),
    sandbox: { hubSpot, dataService, hubSpotUrl: servedHubSpot.url, dataServiceUrl: servedData.url },
    start: () => {
      delivering = hubSpot.startWebhooks(stopped.signal);
    },
    close: async () => {
      stopped.abort();
      await delivering;
      await Promise.all([servedData.close(), servedHubSpot.close()]);
    },
  };
}
