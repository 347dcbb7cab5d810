import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { Policy } from '#shared/field-policy';
import type { Send } from '#shared/http';
import { createUndiciSend } from '#shared/http/adapters';
import { systemClock as clock, systemRandom as random } from '#shared/kernel/adapters';
import { type Pace, workerLanes, workPaceFor } from '#shared/work-queue';
import { HUBSPOT_URL } from '../doctor/access-checks.ts';
import type { OwnApp } from '../doctor/check.ts';
import { ruleNotes } from '../doctor/policy-checks.ts';
import { holdFolder, processIds } from './announce.ts';
import { appScripts } from './app-script.ts';
import { checkData, makeFolder, openDataFolder } from './data-folder.ts';
import { showDemonstration } from './demonstration.ts';
import { errorText } from './failure.ts';
import { spendRoute, startHttpServer } from './http-server.ts';
import { openLocalStore, openLog } from './local-store.ts';
import { createStoreWatch, runEventSource, runSchedules, storeSchedules, systemSchedules } from './loops.ts';
import { createMonthData } from './month/month.ts';
import { observedSend, type ServerClock } from './observed-send.ts';
import { localPolicy } from './policy.ts';
import { prepareProperties } from './prepare-properties.ts';
import { queuesOfWork } from './queues.ts';
import { namesFragment, withRecordNames } from './record-names.ts';
import { appIdOf, readOwnApp, requireAccess, requireProperties, settlePortal } from './require-access.ts';
import type { SavedState } from './schemas.ts';
import type { LocalSettings } from './settings.ts';
import { settingsError } from './settings-error.ts';
import { speakEvents } from './spoken-events.ts';
import { createSystem, type System, WORKER_TIMEOUT_MS } from './system.ts';
import { endWaits, takeOver } from './take-over.ts';
import {
  bannerOf,
  type Checked,
  createNarrator,
  environmentOf,
  type Narrator,
  nextSteps,
} from './terminal.ts';
import { chooseVendors, createSaver, standInVendors, type Vendors, vendorFolder } from './vendors.ts';

/** Answers of the stand-ins are saved at once. All other changes of theirs are saved at this interval. */
const SAVE_EVERY_MS = 2_000;

/** Exit code after Ctrl-C, as in a shell. */
const STOPPED = 130;

/** Runs the whole system in this process. @returns the exit code, after a stop or a single run. */
export async function start(settings: LocalSettings, write: (line: string) => void): Promise<number> {
  const narrator = createNarrator(write, { startedAt: clock.monotonic(), now: clock.monotonic });
  const opened = new AsyncDisposableStack();
  let code: number;
  try {
    const folder = await openFolder(opened, { settings, narrator });
    const services = await openServices(opened, { settings, narrator, folder });
    code = await serve(opened, { settings, narrator, folder, services });
  } catch (error) {
    // The error of the start is what a person must know. One of the closing is told beside it.
    await opened.disposeAsync().catch((other: unknown) => console.error(errorText(other)));
    throw error;
  }
  await opened.disposeAsync();
  return code;
}

interface Opening {
  readonly settings: LocalSettings;
  readonly narrator: Narrator;
}

type Folder = Awaited<ReturnType<typeof openFolder>>;
type Services = Awaited<ReturnType<typeof openServices>>;

/** Locks the data folder, and opens its data, its store and its log. With `--month`, simulates a month in it first. */
async function openFolder(opened: AsyncDisposableStack, { settings, narrator }: Opening) {
  const { real, fresh, month } = settings;
  if (real && fresh) throw settingsError('fresh-on-real', { option: '--fresh' });
  const policy = await localPolicy(settings);
  const path = vendorFolder(settings);
  makeFolder(path);
  if (!fresh) await checkData(path);
  const hold = await holdFolder(path, clock);
  opened.defer(hold.release);
  const isAgreed = month && (await createMonthData(path, { policy, settings, narrator, clock }));
  const folder = await openDataFolder({ path, fresh: fresh && !month, nowMs: clock.now() });
  const log = openLog(path, clock);
  opened.defer(log.close);
  const onFailure = createStoreWatch(clock);
  const { store, queues, close } = openLocalStore(folder.tables, { policy, clock, onFailure });
  opened.defer(close);
  return { policy, path, hold, folder, log, store, queues, monthCode: month ? Number(!isAgreed) : undefined };
}

/** Opens the server and the outside services, composes the system, and checks everything before any spending. */
async function openServices(
  opened: AsyncDisposableStack,
  { settings, narrator, folder: { policy, folder, log, store, queues } }: Opening & { folder: Folder },
) {
  const { real, alertWebhookUrl, dataFolder, seed } = settings;
  const { installedAtMs, installationSecret, refusedDeliveries, ports } = folder.saved;
  const spoken = speakEvents(log.logger, { say: narrator.say, clock, refused: refusedDeliveries });
  const transport = createUndiciSend({ clock, connectTimeoutMs: 10_000 });
  opened.defer(transport.close);
  const { send, serverClocks, referenceClock } = observedSend(transport.send, clock);
  // The system exists after the server: it needs the stand-in's address, and the stand-in needs the server's address.
  const ready = Promise.withResolvers<System>();
  const secret = randomBytes(16).toString('hex');
  const address = { port: settings.port, preferredPort: ports?.system, publicUrl: real?.publicUrl };
  const server = await startHttpServer(address, {
    '/hubspot/': async (event) => (await ready.promise).serveHubSpot(event),
    '/hubspot': async (event) => (await ready.promise).receiveWebhook(event),
    '/spend': spendRoute(
      withRecordNames(async (event) => (await ready.promise).reportSpend(event), {
        crm: async () => (await ready.promise).services.crm,
        secret,
      }),
    ),
  });
  opened.defer(server.close);
  const publicUrl = real?.publicUrl ?? `${server.url}/hubspot`;
  const keep = () => save();
  const spendPage = `${server.url}/spend${namesFragment(secret)}`;
  const app = appScripts(publicUrl, spendPage);
  const standIns = () =>
    standInVendors(folder.saved, { clock, webhookUrl: publicUrl, policy, keep, seed, app });
  const vendors = await chooseVendors(real, standIns);
  const save = createSaver({ folder, vendors, refused: spoken.refused });
  let isServing = false;
  opened.defer(async () => {
    // The stand-ins close first, because a delivery changes their state. A start that failed saves nothing.
    await vendors.close();
    if (isServing) await save();
  });
  const ownApp = await readOwnApp({ hubSpot: hubSpotOf(vendors), send }, vendors.ownAppId);
  const system = createSystem({
    store,
    queues: queuesOfWork(queues),
    vendors: { ...vendors, ownAppId: appIdOf(ownApp) },
    publicUrl,
    referenceClock: real && referenceClock,
    environment: environmentOf(dataFolder),
    logger: spoken.logger,
    observer: narrator,
    newId: processIds,
    policy,
    installedAtMs,
    installationSecret,
    send,
    alertWebhookUrl,
    clock,
    random,
  });
  const checked = await checkFirst({ settings, policy, vendors, ownApp, system, send, serverClocks });
  await settlePortal(system.services);
  const begin = () => {
    isServing = true;
    ready.resolve(system);
  };
  return { server, publicUrl, spendPage, vendors, save, system, checked, begin };
}

/** Takes over the work of earlier processes, and serves until a stop or the end of a single run. */
async function serve(
  opened: AsyncDisposableStack,
  { settings, narrator, folder: opening, services }: Opening & { folder: Folder; services: Services },
): Promise<number> {
  const { policy, path, hold, folder, log, store, queues, monthCode } = opening;
  const { server, publicUrl, spendPage, vendors, save, system, checked } = services;
  await takeOver({ services: system.services, queues });
  // The check showed that the data service accepts the key at this address.
  if (settings.real)
    await endWaits({ records: system.services.records, clock }, ['key-refused', 'wrong-address']);
  // With the real services, the checks include these notes.
  const notes = checked?.notes ?? (await ruleNotes({ services: system.services, policy }));
  const where = { path, publicUrl, spendPage, vendors, logFile: log.file };
  const { installedAtMs } = folder.saved;
  for (const line of bannerOf({ settings, policy, installedAtMs, ...where, checked, notes }))
    narrator.say(line);
  services.begin();
  const pace = workPaceFor(await system.services.ratePerMinute());
  opened.defer(startLoops({ queues, system, store, save, pace }));
  await hold.announce({ vendors, url: server.url, policyFile: resolve(settings.policyFile) });
  await save({ ports: portsOf(server.url, vendors) });
  await prepareProperties(system, narrator);
  vendors.start();
  const stop = stopped();
  const isDemonstration = vendors.sandbox && monthCode === undefined;
  const shown = isDemonstration
    ? showDemonstration({ system, vendors, queues, folder, clock, save }, { narrator })
    : Promise.resolve(monthCode ?? 0);
  const code = await Promise.race([shown, stop]);
  if (settings.once && code !== 'stopped') return code;
  if (code !== 'stopped') {
    narrator.say('\nServing until you press Ctrl-C.');
    if (vendors.sandbox) for (const line of nextSteps(settings)) narrator.say(line);
    await stop;
  }
  narrator.say('Finishing the work in progress; press Ctrl-C again to stop at once.');
  return code === 'stopped' && vendors.sandbox ? STOPPED : 0;
}

function portsOf(url: string, { sandbox }: Vendors): NonNullable<SavedState['ports']> {
  const portOf = (address: string) => Number(new URL(address).port);
  const { hubSpotUrl, dataServiceUrl } = sandbox ?? {};
  return {
    system: portOf(url),
    ...(hubSpotUrl && { hubSpot: portOf(hubSpotUrl) }),
    ...(dataServiceUrl && { dataService: portOf(dataServiceUrl) }),
  };
}

function hubSpotOf({ hubSpot }: Vendors) {
  return { ...hubSpot, baseUrl: hubSpot.baseUrl ?? HUBSPOT_URL };
}

/** Runs the checks that come before any spending. @returns the lines to print, only with the real services. */
async function checkFirst(given: {
  settings: LocalSettings;
  policy: Policy;
  vendors: Vendors;
  ownApp: OwnApp;
  system: System;
  send: Send;
  serverClocks: () => readonly ServerClock[];
}): Promise<Checked | undefined> {
  const { settings, policy, vendors, ownApp, system, send, serverClocks } = given;
  const { services } = system;
  const { policyFile, real } = settings;
  const { dataService } = vendors;
  const site = {
    services,
    policy,
    isStack: false,
    dataService,
    hubSpot: hubSpotOf(vendors),
    send,
    clock,
    ownApp: async () => ownApp,
  };
  const access = real && (await requireAccess(site, serverClocks));
  await requireProperties(services, { policy, policyFile, isReal: real !== undefined });
  return access && { ...access, leftCredits: (await services.ledger.now()).left('live') };
}

/** Starts the event sources, the schedules, and a periodic save of the stand-ins. @returns a function that ends them. */
function startLoops({
  queues,
  system,
  store,
  save,
  pace,
}: Pick<Folder, 'queues' | 'store'> & Pick<Services, 'system' | 'save'> & { readonly pace: Pace }) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const source = { handler: system.enrichRecords, timeoutMs: WORKER_TIMEOUT_MS, clock, signal };
  const schedules = [
    ...systemSchedules(system),
    ...storeSchedules(store, clock),
    { name: 'save', everyMs: SAVE_EVERY_MS, run: save },
  ];
  const loops = Promise.all([
    ...workerLanes(pace).map((lane) => {
      const batchSize = async () =>
        workPaceFor(await system.services.ratePerMinute()).sources[lane].batchSize;
      return runEventSource({ ...source, queue: queues[lane].queue, batchSize });
    }),
    runSchedules(schedules, { clock, signal }),
  ]);
  return async () => {
    stopping.abort();
    await loops;
  };
}

function stopped(): Promise<'stopped'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('stopped'));
  });
}
