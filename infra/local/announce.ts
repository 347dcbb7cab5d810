import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { parseJson } from '#shared/kernel';
import type { EmbeddedAws } from './embedded-aws.ts';
import { holderSchema } from './schemas.ts';
import { SettingsError } from './settings.ts';
import type { Vendors } from './vendors.ts';

/** Where the running system is reached. Secrets of real services are not in it: who connects has them too. */
export interface Announcement {
  /** Of the web server: `/spend` and the webhooks. */
  readonly url: string;
  readonly dynamoEndpoint: string;
  readonly sqsEndpoint: string;
  readonly dataServiceBaseUrl: string;
  /** Only of the stand-in; so are the next three. */
  readonly dataServiceApiKey?: string;
  readonly hubSpotBaseUrl?: string;
  readonly hubSpotAccessToken?: string;
  readonly hubSpotClientSecret?: string;
}

interface Holder {
  readonly pid: number;
  /** Tells two processes with one id apart. Epoch milliseconds. */
  readonly startedAtMs: number;
}

/** The embedded tables of a data folder can be opened by one process only. */
export type FolderUse =
  | { readonly kind: 'free' }
  /** Without an announcement it is starting, or a command that will soon be done. */
  | { readonly kind: 'open'; readonly pid: number; readonly announcement?: Announcement };

export interface FolderHold {
  /** Whoever had it before ended without giving it back: killed, or its machine was. */
  readonly leftByTheDead: boolean;
  /** Tells other processes where the system is reached from now on. */
  announce(running: { aws: EmbeddedAws; vendors: Vendors; url: string }): Promise<void>;
  release(): Promise<void>;
}

export async function folderUse(path: string): Promise<FolderUse> {
  return useBy(await readHolder(fileOf(path)));
}

async function useBy(known: Known | undefined): Promise<FolderUse> {
  if (!known || !isAlive(known)) return { kind: 'free' };
  const { pid } = known;
  if (!('dynamoEndpoint' in known)) return { kind: 'open', pid };
  return (await accepts(known.dynamoEndpoint))
    ? { kind: 'open', pid, announcement: known }
    : { kind: 'free' };
}

/** @throws SettingsError while another process has the folder open. */
export async function refuseIfOpen(path: string): Promise<void> {
  const use = await folderUse(path);
  if (use.kind === 'open') throw inUse(path, use.pid);
}

function inUse(path: string, pid: number): SettingsError {
  return new SettingsError(
    `${path} is in use by process ${pid}: stop it or set DATA_DIR to another folder; delete ${fileOf(path)} if no such process is running.`,
  );
}

/** Takes a folder that is there already. @throws SettingsError when it is in use. */
export async function holdFolder(path: string): Promise<FolderHold> {
  const file = fileOf(path);
  const own = `${file}.${process.pid}`;
  const write = (holder: Holder & Partial<Announcement>) =>
    writeFile(own, JSON.stringify(holder), { mode: 0o600, flush: true });
  try {
    await write(HERE);
    return {
      leftByTheDead: await takePlace(path, own),
      announce: async (running) => {
        await write({ ...HERE, ...(await addresses(running)) });
        await rename(own, file);
      },
      release: async () => {
        const known = await readHolder(file);
        if (known && isHere(known)) await rm(file, { force: true });
      },
    };
  } finally {
    await rm(own, { force: true });
  }
}

/**
 * Of those who reach for the place at once one gets it, because a name that is there cannot be made once more. The
 * dead have one heir each: only who has that name may put itself in their place.
 * @returns whether there was somebody dead to be followed.
 */
async function takePlace(path: string, own: string): Promise<boolean> {
  const file = fileOf(path);
  for (;;) {
    if (await made(own, file)) return false;
    const dead = await readHolder(file);
    const use = await useBy(dead);
    if (use.kind === 'open') throw inUse(path, use.pid);
    const names = dead && (await inherit(path, own, dead));
    if (!names) continue;
    const isStillTheirs = (await readHolder(file))?.startedAtMs === dead.startedAtMs;
    if (isStillTheirs) await rename(own, file);
    for (const name of isStillTheirs ? names : names.slice(-1)) await rm(name, { force: true });
    if (isStillTheirs) return true;
  }
}

/** The names of all heirs down to us, because an heir may have died as well; nothing where all is to be looked at anew. */
async function inherit(path: string, own: string, dead: Holder): Promise<string[] | undefined> {
  const name = `${fileOf(path)}.after-${dead.pid}-${dead.startedAtMs}`;
  if (await made(own, name)) return [name];
  const heir = await readHolder(name);
  if (!heir) return undefined;
  if (isAlive(heir)) throw inUse(path, heir.pid);
  const names = await inherit(path, own, heir);
  return names && [name, ...names];
}

/** Makes a name that is not there yet. */
async function made(own: string, name: string): Promise<boolean> {
  try {
    await link(own, name);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

const HERE: Holder = { pid: process.pid, startedAtMs: Math.round(performance.timeOrigin) };

function fileOf(path: string): string {
  return join(path, 'running.json');
}

type Known = Holder | (Holder & Announcement);

async function readHolder(file: string): Promise<Known | undefined> {
  try {
    const text = await readFile(file, 'utf8');
    const parsed = holderSchema.safeParse(parseJson(text));
    if (parsed.success) return parsed.data as Known;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  throw new SettingsError(`${file} is damaged: delete it if nothing of this project is running.`);
}

function isHere({ pid, startedAtMs }: Holder): boolean {
  return pid === HERE.pid && startedAtMs === HERE.startedAtMs;
}

/** In a container, the one who died may have had the id that we have now. */
function isAlive(holder: Holder): boolean {
  if (holder.pid === HERE.pid) return isHere(holder);
  try {
    return process.kill(holder.pid, 0);
  } catch (error) {
    if (isCode(error, 'ESRCH')) return false;
    if (isCode(error, 'EPERM')) return true;
    throw error;
  }
}

/** A busy process may take its time; only a refusal says that nobody listens. */
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

async function addresses(running: {
  aws: EmbeddedAws;
  vendors: Vendors;
  url: string;
}): Promise<Announcement> {
  const { aws, vendors, url } = running;
  const { dataService, hubSpot, sandbox } = vendors;
  const standIns = sandbox && {
    dataServiceApiKey: dataService.apiKey,
    hubSpotBaseUrl: sandbox.hubSpotUrl,
    hubSpotAccessToken: hubSpot.accessToken,
    hubSpotClientSecret: vendors.clientSecret,
  };
  return {
    url,
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
