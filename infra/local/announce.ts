import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseJson } from '#shared/kernel';
import { isFileBusy } from '#shared/store/adapters';
import { makeFolder } from './make-folder.ts';
import { holderSchema } from './schemas.ts';
import { type SettingsError, settingsError } from './settings-error.ts';
import type { Vendors } from './vendors.ts';

/**
 * Addresses of the running system. Secrets of real services are not included. A process that connects reads them from
 * its own settings.
 */
export interface Announcement {
  /** Address of the web server, which serves `/spend` and the webhooks. */
  readonly url: string;
  /** Absolute path of the policy file in use. */
  readonly policyFile: string;
  readonly dataServiceBaseUrl: string;
  /** This field and the next three are present only for the stand-ins. */
  readonly dataServiceApiKey?: string;
  readonly hubSpotBaseUrl?: string;
  readonly hubSpotAccessToken?: string;
  readonly hubSpotClientSecret?: string;
}

export interface FolderHold {
  /** The previous process ended without releasing the folder, because it was killed or the machine stopped. */
  readonly lastHolderCrashed: boolean;
  /** Publishes the system's addresses to other processes. */
  announce(running: Announced): Promise<void>;
  release(): Promise<void>;
}

/** Locks an existing folder. @throws SettingsError when it is in use. */
export async function holdFolder(path: string): Promise<FolderHold> {
  const hold = await holdIfFree(path);
  if (!hold) throw await inUse(path);
  return hold;
}

/** Locks an existing folder. @returns `undefined` when another process or this one has the lock. */
export async function holdIfFree(path: string): Promise<FolderHold | undefined> {
  const lock = lockOf(path);
  if (!lock) return undefined;
  const file = fileOf(path);
  const write = async (running: Running) => {
    await writeFile(`${file}.new`, JSON.stringify(running), { mode: 0o600, flush: true });
    await rename(`${file}.new`, file);
  };
  const lastHolderCrashed = existsSync(file);
  await write({ pid: process.pid });
  return {
    lastHolderCrashed,
    announce: async (running) => write({ pid: process.pid, ...addresses(running) }),
    release: async () => {
      await rm(file, { force: true });
      lock.close();
    },
  };
}

/**
 * Opens an empty SQLite file and holds its lock by a transaction that never ends. The operating system frees the lock
 * when the process ends, even after a kill.
 * @returns `undefined` when the lock is taken.
 */
function lockOf(path: string): DatabaseSync | undefined {
  makeFolder(path);
  const lock = new DatabaseSync(join(path, 'lock.db'), { timeout: 0 });
  try {
    // Without a journal file, because nothing is ever written.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (isFileBusy(error)) return undefined;
    throw error;
  }
}

/** Builds the error for a folder that another process has locked. */
export async function inUse(path: string): Promise<SettingsError> {
  const running = await readRunning(path);
  // After a kill, the file still names the killed process.
  const pid = running && isRunning(running.pid) ? running.pid : undefined;
  return settingsError('folder-in-use', { folder: path, pid });
}

/** Addresses of the system that uses this folder. @returns `undefined` if no system runs or it is still starting. */
export async function announcementIn(path: string): Promise<Announcement | undefined> {
  const running = await readRunning(path);
  return running && 'url' in running && (await accepts(running.url)) ? running : undefined;
}

interface Holder {
  readonly pid: number;
}

type Running = Holder | (Holder & Announcement);

function fileOf(path: string): string {
  return join(path, 'running.json');
}

/**
 * Reads the holder. A damaged file gives `undefined` too, because the lock decides and the file only names the
 * holder.
 */
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

/**
 * Tells whether a process listens. A busy process can answer late, so only a refused connection proves that none
 * does.
 */
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
  readonly vendors: Vendors;
  readonly url: string;
  readonly policyFile: string;
}

function addresses({ vendors, url, policyFile }: Announced): Announcement {
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
    dataServiceBaseUrl: dataService.baseUrl,
    ...standIns,
  };
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
