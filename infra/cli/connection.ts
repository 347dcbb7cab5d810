import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createParts, type Parts } from '../../shared/enrichment/parts.aws.ts';
import { type Policy, parsePolicy } from '../../shared/field-policy/policy.ts';
import { createUndiciSend } from '../../shared/http/send.undici.ts';
import { systemClock as clock } from '../../shared/kernel/clock.system.ts';
import { SECOND_MS } from '../../shared/kernel/clock.ts';
import { systemIds as newId } from '../../shared/kernel/ids.system.ts';
import { createJsonLogger } from '../../shared/kernel/logger.system.ts';
import { systemRandom as random } from '../../shared/kernel/random.system.ts';
import { finishAbandoned } from '../../shared/questions/abandoned.ts';
import {
  type Announcement,
  type FolderHold,
  folderUse,
  holdFolder,
  refuseIfOpen,
} from '../local/announce.ts';
import { type DataFolder, openDataFolder } from '../local/data-folder.ts';
import { startEmbeddedAws } from '../local/embedded-aws.ts';
import { localPolicy } from '../local/policy.ts';
import { playedServices, realServices, type Services } from '../local/services.ts';
import { type LocalSettings, type RealServices, SettingsError } from '../local/settings.ts';
import { WORKER_TIMEOUT_MS } from '../local/system.ts';
import { TABLES } from '../local/tables.ts';

/** The books, the gateway and the services behind them, for as long as one command runs. */
export interface Connection {
  readonly parts: Parts;
  readonly policy: Policy;
  /** Whether the real data service is asked; otherwise its stand-in. */
  readonly isReal: boolean;
  /** Where the books are. */
  readonly path: string;
  /** How long after its deadline somebody else's request may still be answered. */
  readonly askerGraceMs: number;
  close(): Promise<void>;
}

/** Other commands are done in seconds; a running system is reached at once. */
const PATIENCE_MS = 10 * SECOND_MS;
const POLL_MS = 100;

/**
 * Connects to the running system of the data folder, or else opens the folder as the running system does.
 * @throws SettingsError while another process has it open and is not to be reached.
 */
export async function connect(settings: LocalSettings): Promise<Connection> {
  const path = join(settings.dataFolder, settings.real ? 'real' : 'sandbox');
  const endsAt = clock.monotonic() + PATIENCE_MS;
  for (;;) {
    const use = await folderUse(path);
    const hold = use.kind === 'free' ? await holdIfFree(path) : undefined;
    if (hold) return openFolder(settings, { path, hold });
    if (use.kind === 'open' && use.announcement)
      return joinRunning(settings, { path, running: use.announcement });
    if (clock.monotonic() > endsAt) await refuseIfOpen(path);
    await clock.sleep(POLL_MS);
  }
}

async function joinRunning(
  { real }: LocalSettings,
  { path, running }: { path: string; running: Announcement },
): Promise<Connection> {
  const folder = await openDataFolder({ path, fresh: false, nowMs: clock.now() });
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    endpoint: running.dynamoEndpoint,
  });
  const services = real ? realServices(real) : playedBy(running);
  const dynamo = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const built = build({ real, folder, path, dynamo, services });
  return {
    ...built,
    askerGraceMs: WORKER_TIMEOUT_MS,
    close: () => inTurn(built.close, async () => client.destroy()),
  };
}

function playedBy(running: Announcement): Pick<Services, 'dataService' | 'hubSpot'> {
  const {
    dataServiceBaseUrl: baseUrl,
    dataServiceApiKey = '',
    hubSpotBaseUrl,
    hubSpotAccessToken = '',
  } = running;
  return {
    dataService: { baseUrl, apiKey: dataServiceApiKey },
    hubSpot: { accessToken: hubSpotAccessToken, ...(hubSpotBaseUrl && { baseUrl: hubSpotBaseUrl }) },
  };
}

/** Nobody listens here: webhooks stay with the stand-in until a system runs that takes them. */
const NO_WEBHOOKS = 'http://127.0.0.1:9/hubspot';

/** Two commands may start in the same moment; the slower one waits. */
async function holdIfFree(path: string): Promise<FolderHold | undefined> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  try {
    return await holdFolder(path);
  } catch (error) {
    if (error instanceof SettingsError) return undefined;
    throw error;
  }
}

async function openFolder(
  { real }: LocalSettings,
  { path, hold }: { path: string; hold: FolderHold },
): Promise<Connection> {
  const folder = await openDataFolder({ path, fresh: false, nowMs: clock.now() });
  const aws = await startEmbeddedAws({ folder: folder.tables });
  const services = real ? realServices(real) : await playedServices(folder.saved, NO_WEBHOOKS);
  const built = build({ real, folder, path, dynamo: aws.dynamo, services });
  // Nobody else has the folder open, so whoever left a question behind is gone.
  const askerGraceMs = 0;
  await finishAbandoned(built.parts.questions, { graceMs: askerGraceMs });
  const close = () =>
    inTurn(built.close, services.close, () => saveStandIns(folder, services), aws.close, hold.release);
  return { ...built, askerGraceMs, close };
}

async function saveStandIns({ saved, save }: DataFolder, { sandbox }: Services): Promise<void> {
  if (!sandbox) return;
  await save({ ...saved, hubSpot: sandbox.hubSpot.state(), dataService: sandbox.dataService.state() });
}

interface Site {
  readonly real: RealServices | undefined;
  readonly folder: DataFolder;
  readonly path: string;
  readonly dynamo: DynamoDBDocumentClient;
  readonly services: Pick<Services, 'dataService' | 'hubSpot'>;
}

function build({ real, folder, path, dynamo, services }: Site): Omit<Connection, 'askerGraceMs'> {
  const policy = parsePolicy(localPolicy(real));
  const transport = createUndiciSend({ clock, connectTimeoutMs: 10_000 });
  const log = createWriteStream(join(path, 'log.jsonl'), { flags: 'a' });
  const parts = createParts({
    dynamo,
    tables: TABLES,
    account: 'default',
    installationSecret: folder.saved.installationSecret,
    policy,
    dataService: services.dataService,
    hubSpot: services.hubSpot,
    send: transport.send,
    clock,
    random,
    newId,
    logger: createJsonLogger(clock, (line) => log.write(`${line}\n`)),
  });
  const endLog = () => new Promise<void>((resolve) => log.end(resolve));
  return { parts, policy, isReal: real !== undefined, path, close: () => inTurn(transport.close, endLog) };
}

async function inTurn(...steps: (() => Promise<void>)[]): Promise<void> {
  for (const step of steps) await step();
}
