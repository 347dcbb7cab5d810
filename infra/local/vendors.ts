import { join } from 'node:path';
import type { Policy } from '#shared/field-policy';
import type { Clock } from '#shared/kernel';
import type { HubSpotSite, ServiceKind } from '#shared/spend';
import { withRuleSubscriptions } from '../rule-subscriptions.ts';
import { ConnectionReset } from '../sandbox/connection-reset.ts';
import {
  createDataServiceSandbox,
  type DataServiceSandbox,
} from '../sandbox/data-service/data-service-sandbox.ts';
import {
  createHubSpotSandbox,
  type HubSpotSandbox,
  type SandboxSettings,
} from '../sandbox/hubspot/hubspot-sandbox.ts';
import { DEFAULT_SETTINGS } from '../sandbox/hubspot/settings.ts';
import type { Samples, Script } from '../sandbox/hubspot/verbs.ts';
import { serveSandbox } from '../sandbox/serve.ts';
import type { DataFolder } from './data-folder.ts';
import { errorText } from './failure.ts';
import type { SavedState } from './schemas.ts';
import type { LocalSettings, RealVendors } from './settings.ts';

/** The two outside services, real or simulated. */
export interface Vendors {
  readonly service: ServiceKind;
  readonly dataService: { readonly baseUrl: string; readonly apiKey: string };
  readonly hubSpot: {
    readonly baseUrl?: string;
    readonly accessToken: string;
    readonly portalId?: string | undefined;
  };
  readonly clientSecret: string;
  /** Our app's id from the settings. Without it, the program asks HubSpot. */
  readonly ownAppId?: string | undefined;
  readonly sandbox?: Sandbox | undefined;
  /** Starts the stand-in's webhooks. Call it after the receiver has started. */
  start(): void;
  close(): Promise<void>;
}

export interface Sandbox {
  readonly hubSpot: HubSpotSandbox;
  readonly dataService: DataServiceSandbox;
  readonly hubSpotUrl: string;
  readonly dataServiceUrl: string;
}

export function chooseVendors<V>(real: RealVendors | undefined, standIns: () => V): Vendors | V {
  return real ? realVendors(real) : standIns();
}

export function siteOf({
  service,
  hubSpot,
  ownAppId,
}: Pick<Vendors, 'service' | 'hubSpot' | 'ownAppId'>): HubSpotSite {
  return { appId: ownAppId, standInUrl: service === 'stand-in' ? hubSpot.baseUrl : undefined };
}

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

export const STAND_IN_KEYS = {
  apiKey: 'sandbox-key',
  accessToken: 'sandbox-token',
  clientSecret: 'sandbox-client-secret',
  appId: 7_001,
};

export function subscriptionsOf(policy: Pick<Policy, 'whom'>): SandboxSettings['subscriptions'] {
  const { crmObjects, hubEvents } = DEFAULT_SETTINGS.subscriptions;
  return { crmObjects: withRuleSubscriptions(crmObjects, policy), hubEvents };
}

interface StandInOptions {
  readonly clock: Clock;
  readonly webhookUrl: string;
  /** Its rules decide which property changes the stand-in HubSpot sends, as the uploaded app's subscriptions do. */
  readonly policy: Pick<Policy, 'whom'>;
  readonly keep: () => Promise<void>;
  /** Absent for the saved one. */
  readonly seed?: number | undefined;
  readonly app?: Script;
}

type SavedStandIns = Pick<SavedState, 'hubSpot' | 'dataService' | 'ports'>;

export function standInsAt(dataServiceUrl: string, hubSpotUrl: string): Omit<Vendors, 'start' | 'close'> {
  const { apiKey, accessToken, clientSecret, appId } = STAND_IN_KEYS;
  return {
    service: 'stand-in',
    dataService: { baseUrl: dataServiceUrl, apiKey },
    hubSpot: { baseUrl: hubSpotUrl, accessToken },
    clientSecret,
    ownAppId: String(appId),
  };
}

/** Creates both stand-ins with their last saved state. Their handles save it before each answer. */
export function createStandIns(
  saved: SavedStandIns,
  { clock, webhookUrl, policy, keep, seed, app }: StandInOptions,
) {
  const { accessToken, clientSecret, appId } = STAND_IN_KEYS;
  const dataService = createDataServiceSandbox({
    clock,
    saved: saved.dataService,
    settings: { latencyMs: 150, ...(seed !== undefined && { worldSeed: seed }) },
  });
  // HubSpot spreads its retries over a day, which is too long for a demonstration.
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
    clock,
    saved: saved.hubSpot,
    settings,
    samples: samplesFrom(dataService),
    ...(app && { script: app }),
  });
  return {
    dataService,
    hubSpot,
    handles: {
      dataService: savingState(dataService.handle, keep),
      hubSpot: savingState(hubSpot.handle, keep, READS),
    },
  };
}

export async function standInVendors(saved: SavedStandIns, options: StandInOptions): Promise<Vendors> {
  const { dataService, hubSpot, handles } = createStandIns(saved, options);
  const { dataService: dataPort, hubSpot: hubSpotPort } = saved.ports ?? {};
  const servedData = await serveSandbox({ handle: handles.dataService, port: 0, preferredPort: dataPort });
  const servedHubSpot = await serveSandbox({ handle: handles.hubSpot, port: 0, preferredPort: hubSpotPort });
  const stopped = new AbortController();
  let delivering: Promise<void> | undefined;
  return {
    ...standInsAt(servedData.url, servedHubSpot.url),
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

/**
 * Requests to HubSpot that change nothing. Requests to the data service do not match, because each of them may be
 * charged.
 */
const READS = /^GET |\/(?:read|search)$/;

/** Saves the state before each answer. So a stand-in keeps its state after a kill, like a real service. */
function savingState(handle: Handle, keep: StandInOptions['keep'], reads?: RegExp): Handle {
  return async (request) => {
    const isRead = reads?.test(`${request.method} ${new URL(request.url).pathname}`);
    try {
      return await handle(request);
    } finally {
      if (!isRead) await keep().catch(dropConnection);
    }
  };
}

/** Drops the connection, because a stand-in must not answer if it cannot save its state. */
function dropConnection(error: unknown): never {
  console.error(`A stand-in cannot answer: ${errorText(error)}`);
  throw new ConnectionReset(true);
}

/** Saves the state for a restart. `more` is added to this save and to all later ones. */
export type Save = (more?: Partial<SavedState>) => Promise<void>;

interface SaverOptions {
  readonly folder: DataFolder;
  readonly vendors: { readonly sandbox?: Pick<Sandbox, 'hubSpot' | 'dataService'> | undefined };
  /** Absent if no server listens. The saved value then stays. */
  readonly refused?: () => SavedState['refusedDeliveries'];
}

/** Saves the installation and the stand-ins in one snapshot. The store keeps everything else itself. */
export function createSaver({
  folder,
  vendors,
  refused = () => folder.saved.refusedDeliveries,
}: SaverOptions): Save {
  let { saved } = folder;
  return (more) => {
    saved = { ...saved, ...more };
    const refusedDeliveries = refused();
    const { hubSpot, dataService } = vendors.sandbox ?? {};
    return folder.save({
      ...saved,
      refusedDeliveries,
      ...(hubSpot && { hubSpot: hubSpot.state() }),
      ...(dataService && { dataService: dataService.state() }),
    });
  };
}

const SAMPLES_ASKED = 60;

export type WorldRecord = Readonly<Record<string, unknown>>;

/** Records that the stand-in data service knows, in the form of its answers. */
export async function worldRecords(
  { handle }: Pick<DataServiceSandbox, 'handle'>,
  { kind, limit }: { kind: 'person' | 'company'; limit: number },
): Promise<readonly WorldRecord[]> {
  const path = `/_sandbox/records?kind=${kind}&limit=${limit}`;
  const response = await handle(new Request(`http://stand-in${path}`));
  const { records } = (await response.json()) as { records: readonly WorldRecord[] };
  return records;
}

/** People and companies of the stand-in data service, as HubSpot properties. */
function samplesFrom(dataService: Pick<DataServiceSandbox, 'handle'>): Samples {
  return async (typeId) => {
    const kind = typeId === '0-1' ? 'person' : 'company';
    const records = await worldRecords(dataService, { kind, limit: SAMPLES_ASKED });
    return records.flatMap((record) => {
      const sample =
        kind === 'person'
          ? { email: record['email'], firstname: record['first_name'], lastname: record['last_name'] }
          : { domain: record['primary_domain'], name: record['name'] };
      return isComplete(sample) ? [sample] : [];
    });
  };
}

function isComplete(sample: WorldRecord): sample is Readonly<Record<string, string>> {
  return Object.values(sample).every((value) => typeof value === 'string' && value !== '');
}
