import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { ASKER_GRACE_MS } from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import { type Clock, SECOND_MS } from '#shared/kernel';
import { createJsonLogger } from '#shared/kernel/adapters';
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
import { takeOver } from '../../local/take-over.ts';
import { chooseVendors, STAND_IN_KEYS, standInVendors, vendorFolder } from '../../local/vendors.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import type { Connecting, Connection } from './connection.ts';
import { type LocalServices, type LocalSite, localServices, type OutsideVendors } from './local-services.ts';
import { openTransport } from './open-services.ts';

/** Longest wait for a locked folder. Other commands end in seconds, and a running system answers at once. */
const FOLDER_WAIT_MS = 10 * SECOND_MS;
const POLL_MS = 100;

/**
 * Connects to the running system of the data folder, or opens the folder like that system.
 * @throws SettingsError if the folder has no ledger, or an unreachable process has locked it.
 */
export async function connectLocal(
  settings: LocalSettings,
  { clock }: Pick<CliIo, 'clock'>,
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
    if (hold) return openFolder(settings, { clock, path, policy: chosen, hold });
    const running = await announcementIn(path);
    if (running) {
      // Unless a person chose a policy, the command uses the running process's policy.
      const { policyFile } = settings.isPolicyChosen ? settings : running;
      const policy =
        policyFile === settings.policyFile ? chosen : await localPolicy({ ...settings, policyFile });
      const isOther = resolve(policyFile) !== running.policyFile;
      const joined = await joinRunning(settings, { clock, path, policy, running });
      return isOther ? { ...joined, policies: { ours: policyFile, running: running.policyFile } } : joined;
    }
    if (clock.monotonic() > endsAt) throw await inUse(path);
    await clock.sleep(POLL_MS);
  }
}

interface Opening {
  readonly clock: Clock;
  readonly path: string;
  readonly policy: Policy;
}

async function joinRunning(
  { real }: LocalSettings,
  { clock, path, policy, running }: Opening & { readonly running: Announcement },
): Promise<Connection> {
  const folder = await openDataFolder({ path, fresh: false, nowMs: clock.now() });
  const { dynamo, sqs, destroy } = awsClients(running.aws);
  const vendors = chooseVendors(real, () => standInsOf(running));
  const built = build({ clock, policy, folder, path, dynamo, vendors });
  return {
    ...built,
    askerGraceMs: ASKER_GRACE_MS,
    queues: await embeddedQueues(sqs),
    hasWorkers: true,
    webhook: { ...built.webhook, publicUrl: real?.publicUrl ?? `${running.url}/hubspot` },
    close: () => inSequence(built.close, async () => destroy()),
  };
}

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
  { clock, path, policy, hold }: Opening & { readonly hold: FolderHold },
): Promise<Connection> {
  const folder = await openDataFolder({ path, fresh: false, nowMs: clock.now() });
  const aws = await startEmbeddedAws({ folder: folder.tables, clock });
  const keep = () => save();
  const vendors = await chooseVendors(real, () =>
    standInVendors(folder.saved, { clock, webhookUrl: NO_WEBHOOKS, policy, keep }),
  );
  const save = createSaver({ folder, aws, vendors });
  const built = build({ clock, policy, folder, path, dynamo: aws.dynamo, vendors });
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

/** Opens the services over the network, with a log in the data folder. */
function build({
  folder,
  ...site
}: Omit<LocalSite, 'saved' | 'transport' | 'logger'> & { readonly folder: DataFolder }): LocalServices {
  const { clock, path } = site;
  const log = createWriteStream(join(path, 'log.jsonl'), { flags: 'a' });
  const logger = createJsonLogger(clock, (line) => log.write(`${line}\n`));
  const built = localServices({ ...site, saved: folder.saved, transport: openTransport(clock), logger });
  const endLog = () => new Promise<void>((resolve) => log.end(resolve));
  return { ...built, close: () => inSequence(built.close, endLog) };
}

async function inSequence(...steps: (() => Promise<void>)[]): Promise<void> {
  for (const step of steps) await step();
}
