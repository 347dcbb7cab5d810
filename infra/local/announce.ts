import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { EmbeddedAws } from './embedded-aws.ts';
import type { Services } from './services.ts';
import { SettingsError } from './settings.ts';

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
  /** Tells other processes where the system is reached from now on. */
  announce(running: { aws: EmbeddedAws; services: Services; url: string }): Promise<void>;
  release(): Promise<void>;
}

export async function folderUse(path: string): Promise<FolderUse> {
  const known = await readHolder(path);
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
  if (use.kind === 'free') return;
  throw new SettingsError(
    `${path} is in use by process ${use.pid}: stop it or set DATA_DIR to another folder; delete ${fileOf(path)} if no such process is running.`,
  );
}

/** Takes a folder that is there already. @throws SettingsError when it is in use. */
export async function holdFolder(path: string): Promise<FolderHold> {
  const file = fileOf(path);
  const own = `${file}.${process.pid}`;
  const write = (holder: Holder & Partial<Announcement>) =>
    writeFile(own, JSON.stringify(holder), { mode: 0o600 });
  await refuseIfOpen(path);
  await rm(file, { force: true });
  await write(HERE);
  try {
    await link(own, file);
  } catch (error) {
    if (isCode(error, 'EEXIST')) await refuseIfOpen(path);
    throw error;
  } finally {
    await rm(own, { force: true });
  }
  return {
    announce: async (running) => {
      await write({ ...HERE, ...(await addresses(running)) });
      await rename(own, file);
    },
    release: () => rm(file, { force: true }),
  };
}

const HERE: Holder = { pid: process.pid, startedAtMs: Math.round(performance.timeOrigin) };

function fileOf(path: string): string {
  return join(path, 'running.json');
}

async function readHolder(path: string): Promise<Holder | (Holder & Announcement) | undefined> {
  try {
    return JSON.parse(await readFile(fileOf(path), 'utf8')) as Holder | (Holder & Announcement);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** In a container, the one who died may have had the id that we have now. */
function isAlive({ pid, startedAtMs }: Holder): boolean {
  if (pid === HERE.pid) return startedAtMs === HERE.startedAtMs;
  try {
    return process.kill(pid, 0);
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
  services: Services;
  url: string;
}): Promise<Announcement> {
  const { aws, services, url } = running;
  const { dataService, hubSpot, sandbox } = services;
  const standIns = sandbox && {
    dataServiceApiKey: dataService.apiKey,
    hubSpotBaseUrl: sandbox.hubSpotUrl,
    hubSpotAccessToken: hubSpot.accessToken,
    hubSpotClientSecret: services.clientSecret,
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
