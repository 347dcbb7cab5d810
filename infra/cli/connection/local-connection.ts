import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { ASKER_GRACE_MS } from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import { SECOND_MS } from '#shared/kernel';
import { systemClock as clock, createJsonLogger } from '#shared/kernel/adapters';
import {
  type Announcement,
  announcementIn,
  type FolderHold,
  holdIfFree,
  inUse,
} from '../../local/announce.ts';
import { checkData, type DataFolder, openDataFolder, requireBooks } from '../../local/data-folder.ts';
import { awsClients, startEmbeddedAws } from '../../local/embedded-aws.ts';
import { makeFolder } from '../../local/make-folder.ts';
import { localPolicy } from '../../local/policy.ts';
import { embeddedQueues } from '../../local/queues.ts';
import { createSaver } from '../../local/saver.ts';
import type { LocalSettings } from '../../local/settings.ts';
import { TABLES } from '../../local/tables.ts';
import { takeOver } from '../../local/take-over.ts';
import {
  chooseVendors,
  STAND_IN_KEYS,
  siteOf,
  standInVendors,
  type Vendors,
  vendorFolder,
} from '../../local/vendors.ts';
import type { Connecting, Connection } from './connection.ts';
import { openServices } from './open-services.ts';

/** Longest wait for a locked folder. Other commands end in seconds, and a running system answers at once. */
const FOLDER_WAIT_MS = 10 * SECOND_MS;
const POLL_MS = 100;

/**
 * Connects to the running system of the data folder, or opens the folder like that system.
 * @throws SettingsError if the folder has no ledger, or an unreachable process has locked it.
 */
export async function connectLocal(
  settings: LocalSettings,
  { beginsBooks = false }: Connecting = {},
): Promise<Connection> {
  const chosen = await localPolicy(settings);
  const path = vendorFolder(settings);
  if (!beginsBooks) await requireBooks(path);
  const endsAt = clock.monotonic() + FOLDER_WAIT_MS;
  makeFolder(path);
  await checkData(path);
  for (;;) {
    const hold = await holdIfFree(path);
    if (hold) return openFolder(settings, { path, policy: chosen, hold });
    const running = await announcementIn(path);
    if (running) {
      // Unless a person chose a policy, the command uses the running process's policy.
      const { policyFile } = settings.isPolicyChosen ? settings : running;
      const policy =
        policyFile === settings.policyFile ? chosen : await localPolicy({ ...settings, policyFile });
      const isOther = resolve(policyFile) !== running.policyFile;
      const joined = await joinRunning(settings, { path, policy, running });
      return isOther ? { ...joined, policies: { ours: policyFile, running: running.policyFile } } : joined;
    }
    if (clock.monotonic() > endsAt) throw await inUse(path);
    await clock.sleep(POLL_MS);
  }
}

async function joinRunning(
  { real }: LocalSettings,
  { path, policy, running }: { path: string; policy: Policy; running: Announcement },
): Promise<Connection> {
  const folder = await openDataFolder({ path, fresh: false, nowMs: clock.now() });
  const { dynamo, sqs, destroy } = awsClients(running.aws);
  const vendors = chooseVendors(real, () => standInsOf(running));
  const built = build({ policy, folder, path, dynamo, vendors });
  return {
    ...built,
    askerGraceMs: ASKER_GRACE_MS,
    queues: await embeddedQueues(sqs),
    hasWorkers: true,
    webhook: { ...built.webhook, publicUrl: real?.publicUrl ?? `${running.url}/hubspot` },
    close: () => inSequence(built.close, async () => destroy()),
  };
}

type OutsideVendors = Pick<Vendors, 'service' | 'dataService' | 'hubSpot' | 'clientSecret' | 'ownAppId'>;

function standInsOf(running: Announcement): OutsideVendors {
  const {
    dataServiceBaseUrl: baseUrl,
    dataServiceApiKey = '',
    hubSpotBaseUrl,
    hubSpotAccessToken = '',
    hubSpotClientSecret = '',
  } = running;
  return {
    service: 'stand-in',
    dataService: { baseUrl, apiKey: dataServiceApiKey },
    hubSpot: { accessToken: hubSpotAccessToken, ...(hubSpotBaseUrl && { baseUrl: hubSpotBaseUrl }) },
    clientSecret: hubSpotClientSecret,
    ownAppId: String(STAND_IN_KEYS.appId),
  };
}

/** Unused address. A command has no receiver, so the stand-in keeps the webhooks until a system runs. */
const NO_WEBHOOKS = 'http://127.0.0.1:9/hubspot';

async function openFolder(
  { real }: LocalSettings,
  { path, policy, hold }: { path: string; policy: Policy; hold: FolderHold },
): Promise<Connection> {
  const folder = await openDataFolder({ path, fresh: false, nowMs: clock.now() });
  const aws = await startEmbeddedAws({ folder: folder.tables });
  const keep = () => save();
  const vendors = await chooseVendors(real, () =>
    standInVendors(folder.saved, { webhookUrl: NO_WEBHOOKS, policy, keep }),
  );
  const save = createSaver({ folder, aws, vendors });
  const built = build({ policy, folder, path, dynamo: aws.dynamo, vendors });
  const { queued } = folder.saved;
  const prepare = async () => {
    const { lastHolderCrashed } = hold;
    await takeOver({ dynamo: aws.dynamo, services: built.services, queued, lastHolderCrashed });
    await aws.restore(queued);
    return embeddedQueues(aws.sqs);
  };
  const queues = await prepare().catch(async (error: unknown) => {
    // Saves nothing, and keeps the folder locked until this process ends. The next process takes over the unfinished
    // work.
    await inSequence(built.close, vendors.close, aws.close);
    throw error;
  });
  return {
    ...built,
    // No other process has the folder open, so no answer to a question in flight can arrive.
    askerGraceMs: 0,
    queues,
    hasWorkers: false,
    webhook: { ...built.webhook, publicUrl: real?.publicUrl },
    close: () => inSequence(built.close, vendors.close, save, aws.close, hold.release),
  };
}

interface LocalSite {
  readonly policy: Policy;
  readonly folder: DataFolder;
  readonly path: string;
  readonly dynamo: DynamoDBDocumentClient;
  readonly vendors: OutsideVendors;
}

type Built = Omit<Connection, 'askerGraceMs' | 'queues' | 'hasWorkers'>;

function build({ policy, folder, path, dynamo, vendors }: LocalSite): Built {
  const log = createWriteStream(join(path, 'log.jsonl'), { flags: 'a' });
  const { installedAtMs, installationSecret } = folder.saved;
  const { dataService, hubSpot, clientSecret, ownAppId } = vendors;
  const opened = openServices({
    dynamo,
    tables: TABLES,
    installationSecret,
    policy,
    dataService,
    hubSpot,
    ownAppId,
    // The stand-ins run on this machine, so they show no other clock.
    referenceClock: vendors.service === 'real' ? 'servers' : undefined,
    logger: createJsonLogger(clock, (line) => log.write(`${line}\n`)),
  });
  const endLog = () => new Promise<void>((resolve) => log.end(resolve));
  return {
    ...opened,
    policy,
    clock,
    isReal: vendors.service === 'real',
    hubSpotSite: siteOf(vendors),
    path,
    isStack: false,
    installedAtMs,
    webhook: { clientSecret, refused: folder.saved.refusedDeliveries },
    close: () => inSequence(opened.close, endLog),
  };
}

async function inSequence(...steps: (() => Promise<void>)[]): Promise<void> {
  for (const step of steps) await step();
}
