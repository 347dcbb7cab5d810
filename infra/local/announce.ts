import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { parseJson } from '#shared/kernel';
import type { EmbeddedAws } from './embedded-aws.ts';
import { holderSchema } from './schemas.ts';
import { SettingsError } from './settings.ts';
import type { Vendors } from './vendors.ts';

/** Where the running system is reached. Secrets of real services are not in it: who connects has them too. */
export interface Announcement {
  /** Of the web server: `/spend` and the webhooks. */
  readonly url: string;
  /** The policy file in force, as an absolute path. */
  readonly policyFile: string;
  readonly dynamoEndpoint: string;
  readonly sqsEndpoint: string;
  readonly dataServiceBaseUrl: string;
  /** Only of the stand-in; so are the next three. */
  readonly dataServiceApiKey?: string;
  readonly hubSpotBaseUrl?: string;
  readonly hubSpotAccessToken?: string;
  readonly hubSpotClientSecret?: string;
}

export interface FolderHold {
  /** The last holder ended without giving it back: killed, or its machine was. */
  readonly leftByTheDead: boolean;
  /** Tells other processes where the system is reached from now on. */
  announce(running: Announced): Promise<void>;
  release(): Promise<void>;
}

/** Takes a folder that is there already. @throws SettingsError when it is in use. */
export async function holdFolder(path: string): Promise<FolderHold> {
  const hold = await holdIfFree(path);
  if (!hold) throw await inUse(path);
  return hold;
}

/** Takes a folder that is there already. `undefined` when another process has it, or when we have it. */
export async function holdIfFree(path: string): Promise<FolderHold | undefined> {
  const lock = await lockOf(path);
  if (!lock) return undefined;
  const file = fileOf(path);
  const write = async (running: Running) => {
    await writeFile(`${file}.new`, JSON.stringify(running), { mode: 0o600, flush: true });
    await rename(`${file}.new`, file);
  };
  const leftByTheDead = existsSync(file);
  await write({ pid: process.pid });
  return {
    leftByTheDead,
    announce: async (running) => write({ pid: process.pid, ...(await addresses(running)) }),
    release: async () => {
      await rm(file, { force: true });
      await lock.close();
    },
  };
}

/**
 * An empty LevelDB database beside the tables. The operating system holds its lock for this process and frees it when
 * the process ends, also when it is killed. `undefined` when the lock is taken.
 */
async function lockOf(path: string): Promise<ClassicLevel | undefined> {
  const folder = join(path, 'lock');
  // Node says why it may not write there; LevelDB does not.
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = new ClassicLevel(folder);
  try {
    await lock.open();
    return lock;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (isCode(cause, 'LEVEL_LOCKED')) return undefined;
    if (!isCode(cause, 'LEVEL_CORRUPTION')) throw error;
    throw new SettingsError(`${folder} is damaged: delete it if nothing of this project is running.`);
  }
}

/** The error for a folder that another process has. */
export async function inUse(path: string): Promise<SettingsError> {
  const running = await readRunning(path);
  // The last holder, killed, may still be named there for a moment.
  const holder = running && isRunning(running.pid) ? `process ${running.pid}` : 'another process';
  return new SettingsError(`${path} is in use by ${holder}: stop it or set DATA_DIR to another folder.`);
}

/** Where the running system of the folder is reached; `undefined` while it starts, or when none runs. */
export async function announcementIn(path: string): Promise<Announcement | undefined> {
  const running = await readRunning(path);
  return running && 'dynamoEndpoint' in running && (await accepts(running.dynamoEndpoint))
    ? running
    : undefined;
}

interface Holder {
  readonly pid: number;
}

type Running = Holder | (Holder & Announcement);

function fileOf(path: string): string {
  return join(path, 'running.json');
}

/** `undefined` also for a damaged file: the lock decides, and the file only names the holder. */
async function readRunning(path: string): Promise<Running | undefined> {
  try {
    const parsed = holderSchema.safeParse(parseJson(await readFile(fileOf(path), 'utf8')));
    return parsed.success ? (parsed.data as Running) : undefined;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isCode(error, 'EPERM');
  }
}

/** A busy process may take its time; only a refused connection proves that no process listens. */
function accepts(endpoint: string): Promise<boolean> {
  const { hostname, port } = new URL(endpoint);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(2_000, () => end(true));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

interface Announced {
  readonly aws: EmbeddedAws;
  readonly vendors: Vendors;
  readonly url: string;
  readonly policyFile: string;
}

async function addresses({ aws, vendors, url, policyFile }: Announced): Promise<Announcement> {
  const { dataService, hubSpot, sandbox } = vendors;
  const standIns = sandbox && {
    dataServiceApiKey: dataService.apiKey,
    hubSpotBaseUrl: sandbox.hubSpotUrl,
    hubSpotAccessToken: hubSpot.accessToken,
    hubSpotClientSecret: vendors.clientSecret,
  };
  return {
    url,
    policyFile,
    dynamoEndpoint: await endpointOf(aws.dynamo.config),
    sqsEndpoint: await endpointOf(aws.sqs.config),
    dataServiceBaseUrl: dataService.baseUrl,
    ...standIns,
  };
}

interface Endpoint {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
}

async function endpointOf({
  endpoint,
}: {
  endpoint?: (() => Promise<Endpoint>) | undefined;
}): Promise<string> {
  const at = await endpoint?.();
  if (!at?.port) throw new Error('An embedded store has an address of its own.');
  return `${at.protocol}//${at.hostname}:${at.port}`;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
