import { resolve } from 'node:path';
import type { Policy } from '#shared/field-policy';
import type { Clock, Logger } from '#shared/kernel';
import type { Store } from '#shared/store';
import {
  type Announcement,
  holdFolder,
  holdStandIns,
  processIds,
  runningSystem,
} from '../../local/announce.ts';
import {
  type DataFolder,
  holdsData,
  makeFolder,
  openDataFolder,
  readDataFolder,
} from '../../local/data-folder.ts';
import { openLocalStore, openLog } from '../../local/local-store.ts';
import type { Transport } from '../../local/observed-send.ts';
import { localPolicy } from '../../local/policy.ts';
import type { SavedState } from '../../local/schemas.ts';
import type { LocalSettings } from '../../local/settings.ts';
import { settingsError } from '../../local/settings-error.ts';
import { finishRequests } from '../../local/take-over.ts';
import {
  chooseVendors,
  createSaver,
  createStandIns,
  siteOf,
  standInsAt,
  type Vendors,
  vendorFolder,
} from '../../local/vendors.ts';
import { createStandInSend } from '../../local/virtual/stand-in-send.ts';
import type { CliIo } from '../terminal/terminal.ts';
import { type Connecting, type Connection, NO_LOG } from './connection.ts';
import { openServices, openTransport } from './open-services.ts';

/**
 * Opens the data folder for one command, beside a running system or without one. The command holds no lock.
 * @throws SettingsError if the folder has no ledger.
 */
export async function connectLocal(
  settings: LocalSettings,
  { clock }: Pick<CliIo, 'clock'>,
  { beginsBooks = false }: Connecting = {},
): Promise<Connection> {
  const { real } = settings;
  const path = vendorFolder(settings);
  if (beginsBooks && !holdsData(path)) await beginBooks(path, clock);
  const folder = await readDataFolder(path);
  const running = await runningSystem(path, clock);
  // Unless a person chose a policy, the command uses the running process's policy.
  const { policyFile } = settings.isPolicyChosen || !running ? settings : running;
  const policy = await localPolicy({ ...settings, policyFile });
  const { store, isReadOnly, queues, close } = openLocalStore(folder.tables, { policy, clock });
  const log = isReadOnly ? undefined : openLog(path, clock);
  const outside = outsideOf({ real, path, folder, running, policy, clock });
  const logger = log?.logger ?? NO_LOG;
  const opened = localServices({ clock, path, policy, store, ...outside, saved: folder.saved, logger });
  // The worker does this itself.
  if (!running && !isReadOnly) await finishRequests(opened.services.questions);
  const isOther = running && resolve(policyFile) !== running.policyFile;
  const publicUrl = real?.publicUrl ?? (running && `${running.url}/hubspot`);
  return {
    ...opened,
    queues,
    hasWorkers: running !== undefined,
    webhook: { ...opened.webhook, publicUrl },
    ...(isOther && { policies: { ours: policyFile, running: running.policyFile } }),
    close: async () => {
      await opened.close();
      await close();
      await log?.close();
    },
  };
}

/** Creates an installation. Holds the folder meanwhile, so that no other process creates one too. */
async function beginBooks(path: string, clock: Clock): Promise<void> {
  makeFolder(path);
  const hold = await holdFolder(path, clock);
  await openDataFolder({ path, fresh: false, nowMs: clock.now() });
  await hold.release();
}

interface Inside {
  readonly path: string;
  readonly folder: DataFolder;
  readonly running: Announcement | undefined;
  readonly policy: Policy;
  readonly clock: Clock;
}

type Outside = Pick<LocalSite, 'vendors' | 'transport'>;

function outsideOf({ real, ...inside }: Inside & Pick<LocalSettings, 'real'>): Outside {
  const { running, clock } = inside;
  if (!real && !running?.hubSpotBaseUrl) return standInsHere(inside);
  const vendors = chooseVendors(real, () =>
    standInsAt(running?.dataServiceBaseUrl ?? '', running?.hubSpotBaseUrl ?? ''),
  );
  return { vendors, transport: openTransport(clock) };
}

const DATA_SERVICE = 'data-service.example';
const HUBSPOT = 'hubspot.example';
/** Unused address. A command has no receiver, so the stand-in keeps the webhooks until a system runs. */
const NO_WEBHOOKS = 'http://127.0.0.1:9/hubspot';

/**
 * Runs the stand-ins in this process from the first request on. Only then does the command hold the folder, because one
 * process at a time can play the services.
 */
function standInsHere({ path, folder, policy, clock }: Inside): Outside {
  let opening: Promise<Transport> | undefined;
  let opened: Transport | undefined;
  const open = async (): Promise<Transport> => {
    const release = await holdStandIns(path, clock);
    const current = await readDataFolder(path);
    if (current.tables !== folder.tables) throw settingsError('folder-replaced', { folder: path });
    const keep = () => save();
    const standIns = createStandIns(current.saved, { clock, webhookUrl: NO_WEBHOOKS, policy, keep });
    const save = createSaver({ folder: current, vendors: { sandbox: standIns } });
    const { dataService, hubSpot } = standIns.handles;
    opened = {
      send: createStandInSend({ clock, hosts: { [DATA_SERVICE]: dataService, [HUBSPOT]: hubSpot } }),
      close: async () => {
        await save();
        release();
      },
    };
    return opened;
  };
  return {
    vendors: standInsAt(`https://${DATA_SERVICE}`, `https://${HUBSPOT}`),
    transport: {
      send: async (request) => {
        opening ??= open();
        return (await opening).send(request);
      },
      close: async () => opened?.close(),
    },
  };
}

/** This machine's installation, wherever its tables are and its requests go. */
interface LocalSite {
  readonly clock: Clock;
  readonly policy: Policy;
  readonly saved: Pick<SavedState, 'installedAtMs' | 'installationSecret' | 'refusedDeliveries'>;
  readonly path: string;
  readonly store: Store;
  readonly vendors: Pick<Vendors, 'service' | 'dataService' | 'hubSpot' | 'clientSecret' | 'ownAppId'>;
  readonly transport: Transport;
  readonly logger: Logger;
}

export function localServices({
  saved,
  path,
  vendors,
  ...site
}: LocalSite): Omit<Connection, 'queues' | 'hasWorkers'> {
  const { installedAtMs, installationSecret, refusedDeliveries } = saved;
  const { dataService, hubSpot, clientSecret, ownAppId } = vendors;
  const isReal = vendors.service === 'real';
  return {
    ...openServices({
      ...site,
      installationSecret,
      dataService,
      hubSpot,
      ownAppId,
      newId: processIds,
      portalId: hubSpot.portalId,
      // The stand-ins run on this machine, so they show no other clock.
      referenceClock: isReal ? 'servers' : undefined,
    }),
    policy: site.policy,
    isReal,
    hubSpotSite: siteOf(vendors),
    path,
    isStack: false,
    installedAtMs,
    webhook: { clientSecret, refused: refusedDeliveries },
  };
}
