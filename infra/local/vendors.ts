import { join } from 'node:path';
import type { Policy } from '#shared/field-policy';
import { systemClock } from '#shared/kernel/adapters';
import type { ServiceKind } from '#shared/spend';
import { withRuleSubscriptions } from '../rule-subscriptions.ts';
import { ConnectionReset } from '../sandbox/connection-reset.ts';
import {
  createDataServiceSandbox,
  type DataServiceSandbox,
} from '../sandbox/data-service/data-service-sandbox.ts';
import type { Script } from '../sandbox/hubspot/extensions/script.ts';
import {
  createHubSpotSandbox,
  type HubSpotSandbox,
  type SandboxSettings,
} from '../sandbox/hubspot/hubspot-sandbox.ts';
import { DEFAULT_SETTINGS } from '../sandbox/hubspot/settings.ts';
import { serveSandbox } from '../sandbox/serve.ts';
import { told } from './failure.ts';
import { samplesFrom } from './samples.ts';
import type { SavedState } from './schemas.ts';
import type { LocalSettings, RealVendors } from './settings.ts';

/** The two outside services, real or played. */
export interface Vendors {
  readonly service: ServiceKind;
  readonly dataService: { readonly baseUrl: string; readonly apiKey: string };
  readonly hubSpot: {
    readonly baseUrl?: string;
    readonly accessToken: string;
    readonly portalId?: string | undefined;
  };
  readonly clientSecret: string;
  /** As the settings name it; otherwise HubSpot is asked. */
  readonly ownAppId?: string | undefined;
  readonly sandbox?: Sandbox | undefined;
  /** Lets the stand-in deliver its webhooks, once a receiver runs. */
  start(): void;
  close(): Promise<void>;
}

export interface Sandbox {
  readonly hubSpot: HubSpotSandbox;
  readonly dataService: DataServiceSandbox;
  readonly hubSpotUrl: string;
  readonly dataServiceUrl: string;
}

/** The real services where the settings have them, or else the stand-ins. */
export function chooseVendors<V>(real: RealVendors | undefined, standIns: () => V): Vendors | V {
  return real ? realVendors(real) : standIns();
}

/** The data of real services and of stand-ins never lie in one folder. */
export function vendorFolder({ dataFolder, real }: Pick<LocalSettings, 'dataFolder' | 'real'>): string {
  return join(dataFolder, real ? 'real' : 'sandbox');
}

function realVendors(real: RealVendors): Vendors {
  return {
    service: 'real',
    dataService: { baseUrl: real.dataServiceBaseUrl, apiKey: real.dataServiceApiKey },
    hubSpot: {
      accessToken: real.hubSpotAccessToken,
      portalId: real.hubSpotPortalId,
      ...(real.hubSpotBaseUrl && { baseUrl: real.hubSpotBaseUrl }),
    },
    clientSecret: real.hubSpotClientSecret,
    ownAppId: real.hubSpotAppId,
    start: () => undefined,
    close: async () => undefined,
  };
}

/** How the stand-ins know us. */
export const STAND_IN_KEYS = {
  apiKey: 'sandbox-key',
  accessToken: 'sandbox-token',
  clientSecret: 'sandbox-client-secret',
  appId: 7_001,
};

/** What the app subscribes to once it is uploaded for the policy. */
export function subscriptionsOf(policy: Pick<Policy, 'whom'>): SandboxSettings['subscriptions'] {
  const { crmObjects, hubEvents } = DEFAULT_SETTINGS.subscriptions;
  return { crmObjects: withRuleSubscriptions(crmObjects, policy), hubEvents };
}

interface Surroundings {
  readonly webhookUrl: string;
  /** The stand-in HubSpot reports the changes that its rules need, as the uploaded app would. */
  readonly policy: Pick<Policy, 'whom'>;
  /** Saves the stand-ins' state. */
  readonly keep: () => Promise<void>;
  /** What the app shows, for a browser. */
  readonly app?: Script;
}

/** Both stand-ins on ports of their own, as they were when they were last saved. */
export async function standInVendors(
  saved: Pick<SavedState, 'hubSpot' | 'dataService'>,
  { webhookUrl, policy, keep, app }: Surroundings,
): Promise<Vendors> {
  const { apiKey, accessToken, clientSecret, appId } = STAND_IN_KEYS;
  const dataService = createDataServiceSandbox({
    clock: systemClock,
    saved: saved.dataService,
    settings: { latencyMs: 150 },
  });
  // HubSpot spreads its retries over a day; a person who watches does not wait that long.
  const settings = {
    webhookRetryScale: 0.001,
    accessToken,
    clientSecret,
    appId,
    webhookUrl,
    latencyMs: 10,
    subscriptions: subscriptionsOf(policy),
  };
  const hubSpot = createHubSpotSandbox({
    ...{ clock: systemClock, saved: saved.hubSpot, settings, samples: samplesFrom(dataService) },
    ...(app && { script: app }),
  });
  const servedData = await serveSandbox({ handle: keeping(dataService.handle, keep), port: 0 });
  const servedHubSpot = await serveSandbox({ handle: keeping(hubSpot.handle, keep, READS), port: 0 });
  const stopped = new AbortController();
  let delivering: Promise<void> | undefined;
  return {
    service: 'stand-in',
    dataService: { baseUrl: servedData.url, apiKey },
    hubSpot: { baseUrl: servedHubSpot.url, accessToken },
    clientSecret,
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

type Handle = (request: Request) => Promise<Response>;

/** What changes nothing in HubSpot. Of the data service there is nothing like it: what it answers, it charges. */
const READS = /^GET |\/(?:read|search)$/;

/** A service does not forget what it has answered when this process is killed, and neither does who plays it. */
function keeping(handle: Handle, keep: Surroundings['keep'], reads?: RegExp): Handle {
  return async (request) => {
    const isRead = reads?.test(`${request.method} ${new URL(request.url).pathname}`);
    try {
      return await handle(request);
    } finally {
      if (!isRead) await keep().catch(cannotAnswer);
    }
  };
}

/** What it cannot remember it has not answered. */
function cannotAnswer(error: unknown): never {
  console.error(`A stand-in cannot answer: ${told(error)}`);
  throw new ConnectionReset(true);
}
