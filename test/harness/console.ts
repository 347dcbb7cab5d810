import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObjectType } from '#shared/crm';
import type { HttpRequest } from '#shared/http';
import { type Clock, seededRandom, UpstreamError } from '#shared/kernel';
import { systemClock, systemIds } from '#shared/kernel/adapters';
import { openSqliteQueues } from '#shared/work-queue/adapters';
import type { Connection } from '../../infra/cli/connection/connection.ts';
import { type Connections, ownConnections, settingsOf } from '../../infra/cli/connection/connections.ts';
import { localServices } from '../../infra/cli/connection/local-connection.ts';
import { createProgram, run } from '../../infra/cli/run.ts';
import { CliError, EXIT } from '../../infra/cli/terminal/exit.ts';
import type { CliIo } from '../../infra/cli/terminal/terminal.ts';
import { holdFolder } from '../../infra/local/announce.ts';
import { makeFolder, openDataFolder } from '../../infra/local/data-folder.ts';
import type { Transport } from '../../infra/local/observed-send.ts';
import { localPolicy } from '../../infra/local/policy.ts';
import { chooseVendors, STAND_IN_KEYS, standInVendors, vendorFolder } from '../../infra/local/vendors.ts';
import { createManualClock } from '../../infra/local/virtual/manual-clock.ts';
import { createStandInSend } from '../../infra/local/virtual/stand-in-send.ts';
import { createDataServiceSandbox } from '../../infra/sandbox/data-service/data-service-sandbox.ts';
import { createHubSpotSandbox, type SandboxSettings } from '../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { startEmbeddedQueues } from './embedded-queues.ts';
import { checkCodesIn, keepRun } from './exercised.ts';
import { createFuse, type FusePlan, Severed } from './fuse.ts';
import { APP_ID } from './hubspot-portal.ts';
import { openMemoryStore } from './memory-items.ts';
import { POLICY_FILE } from './policy-file.ts';
import type { World } from './world.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What was asked at the terminal. */
  readonly asked: readonly string[];
  /** The one JSON document on standard output. */
  json(): Record<string, unknown>;
}

interface Screen {
  readonly out: string[];
  readonly err: string[];
  readonly io: CliIo;
}

/** A terminal that only collects. */
function collectingScreen(more: Partial<CliIo> = {}): Screen {
  const [out, err]: [string[], string[]] = [[], []];
  const io = {
    clock: systemClock,
    env: {},
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    colours: false,
    ...more,
  };
  return { out, err, io };
}

/** One command, with what a terminal would answer; without an answer there is no terminal. */
export async function runCommand(
  argv: readonly string[],
  {
    env,
    answer,
    io = {},
    connections,
  }: { env: CliIo['env']; answer?: string; io?: Partial<CliIo>; connections?: Connections },
): Promise<Ran> {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answer ?? '';
  };
  const terminal = answer === undefined ? undefined : { ask };
  const screen = collectingScreen({ env: { POLICY: POLICY_FILE, ...env }, terminal, ...io });
  const code = await run(argv, screen.io, connections);
  const out = screen.out.join('');
  keepRun({ argv, code, checks: checkCodesIn(out) });
  return {
    code,
    out,
    err: screen.err.join(''),
    asked,
    json: () => JSON.parse(out) as Record<string, unknown>,
  };
}

/** Output of a command; `undefined` if it ended with an expected error. */
export type Run = (...argv: readonly string[]) => Promise<string | undefined>;

/** Opens the operator's commands over the books of a world. */
export function openConsole(
  { services, policy, clock, newId }: World,
  more: Partial<CliIo> = {},
  onRefused: (error: CliError) => void = () => undefined,
): Run {
  const connection = {
    services,
    policy,
    clock: clock as Clock,
    newId,
    ownApp: async () => ({ setting: String(APP_ID) }),
    logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    close: async () => undefined,
  } as unknown as Connection;
  const open = async () => connection;
  const connections = { ...ownConnections, open, openToRead: open };
  return async (...argv) => {
    const { out, io } = collectingScreen({ clock, ...more });
    const keep = (code: number) => keepRun({ argv, code, checks: [] });
    try {
      await createProgram({ io, end: () => undefined, connections }).parseAsync([...argv], { from: 'user' });
      keep(EXIT.ok);
    } catch (error) {
      if (error instanceof CliError) {
        keep(error.exit);
        onRefused(error);
      }
      // The command prints such errors in one sentence.
      if (error instanceof CliError || error instanceof UpstreamError || error instanceof Severed)
        return undefined;
      throw error;
    }
    return out.join('');
  };
}

export type Commands = ReturnType<typeof createCommands>;

/** Runs commands of a person over a world. Each is its own process, and may be cut off. */
export function createCommands(world: World) {
  const strikes: FusePlan[] = [];
  return {
    /** Plans faults for the next commands: one for each, and none for later ones. */
    plan: (wanted: readonly FusePlan[]) => void strikes.splice(0, strikes.length, ...wanted),
    run: async (...argv: readonly string[]): Promise<string | undefined> => {
      const strike = strikes.shift();
      if (!strike) return openConsole(world)(...argv);
      const fuse = createFuse(world.clock);
      fuse.arm(strike);
      return openConsole({ ...world, services: world.servicesOfPerson(fuse) })(...argv);
    },
  };
}

type Handle = (request: Request) => Promise<Response>;
type Settings = Readonly<Record<string, unknown>>;
interface More {
  readonly answer?: string;
  readonly env?: CliIo['env'];
  readonly io?: Partial<CliIo>;
}

/** Addresses that lead to the stand-ins. With them as settings, the stand-ins play real services. */
export const STAND_IN_URLS = {
  dataService: 'https://data-service.example',
  hubSpot: 'https://hubspot.example',
  webhook: 'https://receiver.example/hubspot',
};

/** Time at the beginning of each test. */
export const START = new Date('2026-11-16T09:00:00Z');

/**
 * What `npm start` is to the commands, in virtual time and without sockets: tables and queues in memory, and both
 * stand-ins. Each command opens its services over them like the product.
 */
export async function startStandIns(
  dataServiceSettings: Settings = {},
  {
    hubSpotSettings = {},
    hasWorkers = true,
    receive,
    onRequest,
  }: {
    readonly hubSpotSettings?: Partial<SandboxSettings>;
    /** Without workers, a command has the data folder for itself. */
    readonly hasWorkers?: boolean;
    /** Answers at the webhook address. */
    readonly receive?: Handle;
    /** Called before each request is sent. */
    readonly onRequest?: (request: HttpRequest) => unknown;
  } = {},
) {
  const clock = createManualClock({ startMs: START.getTime(), autoAdvance: true });
  const dataFolder = await mkdtemp(join(tmpdir(), 'cli-'));
  const { apiKey, accessToken, clientSecret, appId } = STAND_IN_KEYS;
  const dataService = createDataServiceSandbox({
    clock,
    settings: { latencyMs: 0, rateLimitPerMinute: 1_000, ...dataServiceSettings },
  });
  const hubSpot = createHubSpotSandbox({
    clock,
    random: seededRandom(1),
    settings: { accessToken, clientSecret, appId, ...hubSpotSettings },
    send: async () => new Response(''),
  });
  const store = openMemoryStore();
  const { database, patiently, atomically } = store;
  const queues = openSqliteQueues({ database, patiently, atomically, clock, newId: systemIds });
  const handles = { dataService: dataService.handle, hubSpot: hubSpot.handle, webhook: receive };
  const hosts = Object.entries(STAND_IN_URLS).flatMap(([name, url]) => {
    const handle = handles[name as keyof typeof handles];
    return handle ? [[new URL(url).host, handle] as const] : [];
  });
  const send = createStandInSend({ clock, hosts: Object.fromEntries(hosts) });
  const transport: Transport = {
    send: async (request) => {
      await onRequest?.(request);
      return send(request);
    },
    close: async () => undefined,
  };
  const saved = { installedAtMs: START.getTime(), installationSecret: 'a secret of the tests' };
  const standIn = {
    service: 'stand-in' as const,
    dataService: { baseUrl: STAND_IN_URLS.dataService, apiKey },
    hubSpot: { baseUrl: STAND_IN_URLS.hubSpot, accessToken },
    clientSecret,
    ownAppId: String(appId),
  };
  const open: Connections['open'] = async (installation, io) => {
    const settings = settingsOf(installation, io);
    const vendors = chooseVendors(settings.real, () => standIn);
    const path = vendorFolder(settings);
    makeFolder(path);
    const policy = await localPolicy(settings);
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const opened = localServices({ clock, policy, path, saved, store, vendors, transport, logger });
    const publicUrl = hasWorkers ? STAND_IN_URLS.webhook : undefined;
    return {
      ...opened,
      queues,
      hasWorkers,
      webhook: { ...opened.webhook, publicUrl },
    };
  };
  const connections: Connections = { open, openToRead: open, openTransport: async () => transport };
  const env = { DATA_DIR: dataFolder };
  return {
    env,
    path: dataFolder,
    clock,
    store,
    queues,
    dataService,
    /** Creates a record in HubSpot. @returns its id. */
    create: async (objectType: ObjectType, properties: object) => {
      const body = { objectType, properties };
      const made = await askHubSpot(hubSpot.handle, { method: 'POST', path: '/_sandbox/create', body });
      return String(made['id']);
    },
    hubSpot: (method: string, path: string, body?: unknown) =>
      askHubSpot(hubSpot.handle, { method, path, body }),
    run: (argv: readonly string[], more: More = {}) =>
      runCommand(argv, {
        ...more,
        env: { ...env, ...more.env },
        io: { clock, ...more.io },
        connections,
      }),
    ...verbsOf(dataService.handle),
    stop: async () => {
      store.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

export type StandIns = Awaited<ReturnType<typeof startStandIns>>;

/** What `npm start` is to a process: a store file, queues and stand-ins on ports, announced in a data folder. */
export async function startServedStandIns(dataServiceSettings: Settings = {}) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'cli-'));
  const path = join(dataFolder, 'sandbox');
  const clock = systemClock;
  const folder = await openDataFolder({ path, fresh: false, nowMs: clock.now() });
  const hold = await holdFolder(path, clock);
  const aws = await startEmbeddedQueues();
  const vendors = await standInVendors(folder.saved, {
    clock,
    webhookUrl: 'http://127.0.0.1:9/hubspot',
    policy: { whom: {} },
    keep: async () => undefined,
  });
  await hold.announce({ vendors, url: vendors.dataService.baseUrl, policyFile: POLICY_FILE });
  const { sandbox } = vendors;
  if (!sandbox) throw new Error('The stand-ins play both services.');
  const verbs = verbsOf(sandbox.dataService.handle);
  await verbs.setting({ latencyMs: 0, rateLimitPerMinute: 1_000, ...dataServiceSettings });
  const env = { DATA_DIR: dataFolder };
  return {
    env,
    path,
    hubSpot: (method: string, path: string, body?: unknown) =>
      askHubSpot(sandbox.hubSpot.handle, { method, path, body }),
    /** SQS, for a stack that is played over these stand-ins. */
    sqs: aws,
    dataServiceUrl: sandbox.dataServiceUrl,
    run: (argv: readonly string[], more: More = {}) => runCommand(argv, { env, ...more }),
    ...verbs,
    stop: async () => {
      await vendors.close();
      await aws.close();
      await hold.release();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

export type ServedStandIns = Awaited<ReturnType<typeof startServedStandIns>>;

/** What a test changes in the data service, and sees of it. */
function verbsOf(handle: Handle) {
  const verb = async (method: string, name: string, body?: unknown) => {
    const request = new Request(`http://stand-in/_sandbox/${name}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    return (await (await handle(request)).json()) as Record<string, unknown>;
  };
  return {
    setting: (settings: unknown) => verb('PUT', 'settings', settings),
    bill: async () => Number((await verb('GET', 'bill'))['creditsCharged']),
    records: async (kind: 'person' | 'company') => {
      const { records } = await verb('GET', `records?kind=${kind}&limit=300`);
      return records as Record<string, string>[];
    },
  };
}

/** A call of the app, or a verb of the stand-in under `/_sandbox/`. */
export async function askHubSpot(
  handle: Handle,
  { method, path, body }: { method: string; path: string; body?: unknown },
): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sandbox-token' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await handle(new Request(`http://stand-in${path}`, { method, headers, ...sent }));
  const text = await response.text();
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** A reader of RFC 4180 that shares nothing with the writer. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (match.index === text.length) break;
    const [, quoted, plain = '', end] = match;
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}
