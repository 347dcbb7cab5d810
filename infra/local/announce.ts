import { realpath, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Clock, type NewId, parseJson, SECOND_MS } from '#shared/kernel';
import { systemIds } from '#shared/kernel/adapters';
import { isFileBusy } from '#shared/store/adapters';
import { makeFolder, replaceFile, textIn } from './data-folder.ts';
import { holderSchema } from './schemas.ts';
import { settingsError } from './settings-error.ts';
import type { Vendors } from './vendors.ts';

export interface Announcement {
  /** Address of the web server, which serves `/spend` and the webhooks. */
  readonly url: string;
  /** Absolute path of the policy file in use. */
  readonly policyFile: string;
  readonly dataServiceBaseUrl: string;
  /** Present only for the stand-in. */
  readonly hubSpotBaseUrl?: string;
}

export interface FolderHold {
  announce(running: Announced): Promise<void>;
  release(): Promise<void>;
}

/** Longest wait for a command that runs the stand-ins, or for a system that starts. Both take seconds. */
const WAIT_MS = 10 * SECOND_MS;
const POLL_MS = 100;

/**
 * Locks an existing folder for a worker. The lock ends with the process.
 * @throws SettingsError when another worker has it.
 */
export async function holdFolder(path: string, clock: WaitClock): Promise<FolderHold> {
  await livingWorker(path);
  const lock = await lockWithin(path, clock, async () => (await livingWorker(path)) === undefined);
  const file = fileOf(path);
  const holder = { pid: process.pid, folder: await realpath(path) };
  const write = (running: Running) => replaceFile(file, JSON.stringify(running));
  await write(holder);
  return {
    announce: async (running) => write({ ...holder, ...addresses(running) }),
    release: async () => {
      await rm(file, { force: true });
      lock.close();
    },
  };
}

/**
 * Locks the folder for a command that runs the stand-ins in its own process.
 * @returns ends the lock. @throws SettingsError when another process runs them for too long.
 */
export async function holdStandIns(path: string, clock: WaitClock): Promise<() => void> {
  const lock = await lockWithin(path, clock, async () => true);
  return () => lock.close();
}

type WaitClock = Pick<Clock, 'monotonic' | 'sleep'>;

/** Repeats until the lock is free. @throws SettingsError when that takes too long, or has no prospect. */
async function lockWithin(
  path: string,
  clock: WaitClock,
  hasProspect: () => Promise<boolean>,
): Promise<DatabaseSync> {
  const endsAt = clock.monotonic() + WAIT_MS;
  for (;;) {
    const lock = lockOf(path);
    if (lock) return lock;
    if (!(await hasProspect()) || clock.monotonic() > endsAt)
      throw settingsError('folder-in-use', { folder: path, pid: await livingWorker(path) });
    await clock.sleep(POLL_MS);
  }
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

/** Id of the process that holds the folder. After a kill, the file still names the killed process. */
async function livingWorker(path: string): Promise<number | undefined> {
  const running = await readRunning(path);
  return running && isRunning(running.pid) ? running.pid : undefined;
}

/** Addresses of the system that uses this folder, after its start. @returns `undefined` if no system runs. */
export async function runningSystem(path: string, clock: WaitClock): Promise<Announcement | undefined> {
  const endsAt = clock.monotonic() + WAIT_MS;
  while ((await isStarting(path)) && clock.monotonic() <= endsAt) await clock.sleep(POLL_MS);
  return announcementIn(path);
}

async function isStarting(path: string): Promise<boolean> {
  const running = await readRunning(path);
  if (!running || 'url' in running || running.pid === process.pid) return false;
  return isRunning(running.pid);
}

/** Addresses of the system that uses this folder. @returns `undefined` if no system runs or it is still starting. */
export async function announcementIn(path: string): Promise<Announcement | undefined> {
  const running = await readRunning(path);
  return running && 'url' in running && (await accepts(running.url)) ? running : undefined;
}

interface Holder {
  readonly pid: number;
  readonly folder: string;
}

type Running = Holder | (Holder & Announcement);

function fileOf(path: string): string {
  return join(path, 'running.json');
}

/**
 * Reads the holder. A damaged file gives `undefined` too, because the lock decides and the file only names the
 * holder.
 * @throws SettingsError when the folder is a copy of one that a system uses now. Two ledgers would pay for one account.
 */
async function readRunning(path: string): Promise<Running | undefined> {
  const running = await readHolder(path);
  if (!running || running.folder === (await realpath(path))) return running;
  const { folder: original, pid } = running;
  if (isRunning(pid) && 'url' in running && (await accepts(running.url)))
    throw settingsError('folder-copied', { folder: path, original, pid });
  return undefined;
}

async function readHolder(path: string): Promise<Running | undefined> {
  const parsed = holderSchema.safeParse(parseJson((await textIn(fileOf(path))) ?? ''));
  return parsed.success ? (parsed.data as Running) : undefined;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
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
  const { dataService, sandbox } = vendors;
  return {
    url,
    policyFile,
    dataServiceBaseUrl: dataService.baseUrl,
    ...(sandbox && { hubSpotBaseUrl: sandbox.hubSpotUrl }),
  };
}

/** Ids for claims and requests of this process. They name it, so that a later process sees that it has ended. */
export const processIds: NewId = () => `p${process.pid.toString(36)}-${systemIds()}`;

const NAMED = /^p([0-9a-z]+)-/;

/**
 * Whether an earlier process made the id and has ended. Asked before this process makes its first. Says no if another
 * program has the number by now; the time limits of claims and requests then decide.
 */
export function isOfEndedProcess(id: string): boolean {
  const [, name] = NAMED.exec(id) ?? [];
  if (name === undefined) return false;
  const pid = Number.parseInt(name, 36);
  // In a container, every process has the same number.
  return pid === process.pid || !isRunning(pid);
}
