import { resolve } from 'node:path';
import type { Policy } from '#shared/field-policy';
import type { Send } from '#shared/http';
import { createUndiciSend } from '#shared/http/adapters';
import { systemClock as clock, systemRandom as random } from '#shared/kernel/adapters';
import type { SqliteStore } from '#shared/store/adapters';
import { type LaneQueues, type Pace, workerLanes, workPaceFor } from '#shared/work-queue';
import { type FolderHold, holdFolder, processIds } from './announce.ts';
import { appScripts } from './app-script.ts';
import { checkData, makeFolder, openDataFolder } from './data-folder.ts';
import type { Running } from './demonstration.ts';
import { showDemonstration } from './demonstration.ts';
import { HUBSPOT_URL } from './doctor/access-checks.ts';
import { ruleNotes } from './doctor/rule-checks.ts';
import type { OwnApp } from './doctor/site.ts';
import { spendRoute, startHttpServer } from './http-server.ts';
import { openLocalStore, openLog } from './local-store.ts';
import { runEventSource, runSchedules, storeSchedules, systemSchedules } from './loops.ts';
import { createMonthData } from './month/month.ts';
import { observedSend, type ServerClock } from './observed-send.ts';
import { localPolicy } from './policy.ts';
import { prepareProperties } from './prepare-properties.ts';
import { queuesOfWork } from './queues.ts';
import { appIdOf, readOwnApp, requireAccess, requireProperties, settlePortal } from './require-access.ts';
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
  const running = await open(settings, narrator);
  const { system, stop } = running;
  try {
    await prepareProperties(system, narrator);
    running.vendors.start();
    const stop = stopped();
    const { monthCode } = running;
    const isDemonstration = running.vendors.sandbox && monthCode === undefined;
    const shown = isDemonstration
      ? showDemonstration(running, { narrator })
      : Promise.resolve(monthCode ?? 0);
    const code = await Promise.race([shown, stop]);
    if (settings.once && code !== 'stopped') return code;
    if (code !== 'stopped') {
      narrator.say('\nServing until you press Ctrl-C.');
      if (running.vendors.sandbox) for (const line of nextSteps(settings)) narrator.say(line);
      await stop;
    }
    narrator.say('Finishing the work in progress; press Ctrl-C again to stop at once.');
    return code === 'stopped' && running.vendors.sandbox ? STOPPED : 0;
  } finally {
    await stop();
  }
}

async function open(settings: LocalSettings, narrator: Narrator): Promise<Running> {
  const { real, fresh, month, alertWebhookUrl, dataFolder } = settings;
  if (real && fresh) throw settingsError('fresh-on-real', { option: '--fresh' });
  const policy = await localPolicy(settings);
  const path = vendorFolder(settings);
  makeFolder(path);
  if (!fresh) await checkData(path);
  const hold = await holdFolder(path, clock);
  const monthCode = month ? await simulateFirst(hold, { path, policy, settings, narrator }) : undefined;
  const folder = await openDataFolder({ path, fresh: fresh && !month, nowMs: clock.now() });
  const { store, queues, close: closeStore } = openLocalStore(folder.tables, { policy, clock });
  const log = openLog(path, clock);
  const spoken = speakEvents(log.logger, {
    say: narrator.say,
    clock,
    refused: folder.saved.refusedDeliveries,
  });
  const transport = createUndiciSend({ clock, connectTimeoutMs: 10_000 });
  const { send, serverClocks, referenceClock } = observedSend(transport.send, clock);
  // The system exists after the server: it needs the stand-in's address, and the stand-in needs the server's address.
  const systemReady = Promise.withResolvers<System>();
  const address = { port: settings.port, publicUrl: real?.publicUrl };
  const server = await startHttpServer(address, {
    '/hubspot/': async (event) => (await systemReady.promise).serveHubSpot(event),
    '/hubspot': async (event) => (await systemReady.promise).receiveWebhook(event),
    '/spend': spendRoute(async (event) => (await systemReady.promise).reportSpend(event)),
  });
  const publicUrl = real?.publicUrl ?? `${server.url}/hubspot`;
  const keep = () => save();
  const app = appScripts(publicUrl, `${server.url}/spend`);
  const standIns = () => standInVendors(folder.saved, { clock, webhookUrl: publicUrl, policy, keep, app });
  const vendors = await chooseVendors(real, standIns);
  const save = createSaver({ folder, vendors, refused: spoken.refused });
  const { installedAtMs, installationSecret } = folder.saved;
  const ownApp = await readOwnApp({ hubSpot: hubSpotOf(vendors), send }, vendors.ownAppId);
  const outside = {
    store,
    queues: queuesOfWork(queues),
    vendors: { ...vendors, ownAppId: appIdOf(ownApp) },
    publicUrl,
    referenceClock: real && referenceClock,
    ...{ send, alertWebhookUrl, environment: environmentOf(dataFolder) },
  };
  const own = { policy, installedAtMs, installationSecret, logger: spoken.logger, observer: narrator };
  const system = createSystem({ ...outside, ...own, clock, random, newId: processIds });
  const checked = await checkFirst({ settings, policy, vendors, ownApp, system, send, serverClocks });
  await settlePortal(system.services);
  await takeOver({ services: system.services, queues });
  // The check above showed that the data service accepts the key at this address.
  if (real) await endWaits({ records: system.services.records, clock }, ['key-refused', 'wrong-address']);
  // With the real services, the checks include these notes.
  const notes = checked?.notes ?? (await ruleNotes({ services: system.services, policy }));
  const where = { path, publicUrl, url: server.url, vendors, logFile: log.file };
  const bannerInput = { settings, policy, installedAtMs, ...where, checked, notes };
  for (const line of bannerOf(bannerInput)) narrator.say(line);
  systemReady.resolve(system);
  const loops = startLoops({
    queues,
    clock,
    system,
    store,
    save,
    pace: workPaceFor(await system.services.ratePerMinute()),
  });
  await hold.announce({ vendors, url: server.url, policyFile: resolve(settings.policyFile) });
  const closeAll = [vendors.close, save, server.close, transport.close, closeStore, log.close, hold.release];
  const stop = async () => {
    // The loops end first, because they use everything else.
    await loops.stop();
    for (const close of closeAll) await close();
  };
  return { system, vendors, queues, folder, clock, save, monthCode, stop };
}

/** Simulates a month before anything else is opened. @returns the exit code for the month alone. */
async function simulateFirst(
  hold: FolderHold,
  { path, ...how }: { path: string; policy: Policy; settings: LocalSettings; narrator: Narrator },
): Promise<number> {
  try {
    return (await createMonthData(path, { ...how, clock })) ? 0 : 1;
  } catch (error) {
    // Releases the folder, so that the next start does not treat this process as killed.
    await hold.release();
    throw error;
  }
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
    ...{ services, policy, isStack: false, dataService, hubSpot: hubSpotOf(vendors), send, clock },
    ownApp: async () => ownApp,
  };
  const access = real && (await requireAccess(site, serverClocks));
  await requireProperties(services, { policy, policyFile, isReal: real !== undefined });
  return access && { ...access, leftCredits: (await services.ledger.now()).left('live') };
}

/** Starts the event sources, the schedules, and a periodic save of the stand-ins. */
function startLoops({
  queues,
  clock,
  system,
  store,
  save,
  pace,
}: Pick<Running, 'clock' | 'system' | 'save'> & {
  readonly queues: LaneQueues;
  readonly store: SqliteStore;
  readonly pace: Pace;
}) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const source = { handler: system.enrichRecords, timeoutMs: WORKER_TIMEOUT_MS, clock, signal };
  const loops = Promise.all([
    ...workerLanes(pace).map((lane) => {
      const batchSize = async () =>
        workPaceFor(await system.services.ratePerMinute()).sources[lane].batchSize;
      return runEventSource({ ...source, queue: queues[lane].queue, batchSize });
    }),
    runSchedules(
      [
        ...systemSchedules(system),
        ...storeSchedules(store, clock),
        { name: 'save', everyMs: SAVE_EVERY_MS, run: save },
      ],
      { clock, signal },
    ),
  ]);
  return {
    stop: async () => {
      stopping.abort();
      await loops;
    },
  };
}

function stopped(): Promise<'stopped'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve('stopped'));
  });
}
