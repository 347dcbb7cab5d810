import { OBJECT_TYPES } from '#shared/crm';
import type { EnrichmentObserver } from '#shared/enrichment';
import type { Policy } from '#shared/field-policy';
import { httpError, type Send } from '#shared/http';
import { type Random, SECOND_MS, seededRandom } from '#shared/kernel';
import { createJsonLogger } from '#shared/kernel/adapters';
import { openSqliteStore } from '#shared/store/adapters';
import { openSqliteQueues } from '#shared/work-queue/adapters';
import {
  createDataServiceSandbox,
  type Settings as ServiceSettings,
} from '../../sandbox/data-service/data-service-sandbox.ts';
import { createHubSpotSandbox } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { answer } from '../http-server.ts';
import { ensureEnrichmentProperties } from '../prepare-properties.ts';
import { queuesOfWork } from '../queues.ts';
import { createSystem } from '../system.ts';
import { STAND_IN_KEYS, standInsAt, subscriptionsOf } from '../vendors.ts';
import { createManualClock } from '../virtual/manual-clock.ts';
import { peopleAt } from '../virtual/people-at-hubspot.ts';
import { createStandInSend } from '../virtual/stand-in-send.ts';

export interface WorldOptions {
  readonly policy: Policy;
  readonly seed: number;
  /** Start of the portal, and time of our installation. Epoch milliseconds. */
  readonly startMs: number;
  readonly installedAtMs: number;
  readonly creditBalance: number;
  readonly observer: EnrichmentObserver;
  readonly write: (line: string) => void;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

const DATA_SERVICE = 'data-service.example';
const HUBSPOT = 'hubspot.example';
const RECEIVER_URL = 'https://receiver.example/hubspot';

/** Average latency that the vendor publishes. */
const SERVICE_LATENCY_MS = 3 * SECOND_MS;
/** Share of the answers' values that are untidy, so that pages show how they are treated. */
const UNTIDY_RATE = 0.02;

/**
 * Composes the laptop's system in virtual time, with stores in memory and stand-ins without sockets. The same seed
 * gives the same events.
 */
export async function openWorld(options: WorldOptions) {
  const { policy, seed, startMs, installedAtMs, creditBalance, observer, write } = options;
  const clock = createManualClock({ startMs, autoAdvance: true });
  const { accessToken, clientSecret, appId } = STAND_IN_KEYS;
  const dataService = createDataServiceSandbox({
    clock,
    settings: { worldSeed: seed, latencyMs: SERVICE_LATENCY_MS, creditBalance, untidyRate: UNTIDY_RATE },
  });
  const hubSpot = createHubSpotSandbox({
    clock,
    random: seededRandom(seed + 1),
    settings: {
      accessToken,
      clientSecret,
      appId,
      webhookUrl: RECEIVER_URL,
      subscriptions: subscriptionsOf(policy),
    },
    send: (request) => answer(request, { '/hubspot': (event) => system.receiveWebhook(event) }),
  });
  const wire = createWire(
    createStandInSend({ clock, hosts: { [DATA_SERVICE]: dataService.handle, [HUBSPOT]: hubSpot.handle } }),
  );
  const logger = createJsonLogger(clock, write);
  const newId = seededIds(seededRandom(seed + 2));
  const installationSecret = `${newId()}${newId()}`.replaceAll('-', '');
  const store = openSqliteStore({ path: ':memory:', policy, newId, clock, random: seededRandom(seed + 4) });
  const { database, patiently, atomically } = store;
  const ids = seededIds(seededRandom(seed + 5));
  const queues = openSqliteQueues({ database, patiently, atomically, clock, newId: ids });
  const system = createSystem({
    store,
    queues: queuesOfWork(queues),
    vendors: standInsAt(`https://${DATA_SERVICE}`, `https://${HUBSPOT}`),
    publicUrl: RECEIVER_URL,
    alertWebhookUrl: '',
    send: wire.send,
    policy,
    installedAtMs,
    installationSecret,
    observer,
    clock,
    newId,
    logger,
    random: seededRandom(seed + 3),
  });
  for (const objectType of OBJECT_TYPES)
    await ensureEnrichmentProperties(system.services.hubSpot, { objectType });
  await system.services.portal.learn();
  return {
    policy,
    clock,
    store,
    queues,
    dataService,
    hubSpot,
    wire,
    system,
    newId,
    logger,
    installedAtMs,
    installationSecret,
    portal: peopleAt(hubSpot),
    changeService: async (change: Partial<ServiceSettings>) => {
      const init = { method: 'PUT', body: JSON.stringify(change) };
      await dataService.handle(new Request(`https://${DATA_SERVICE}/_sandbox/settings`, init));
    },
  };
}

function createWire(direct: Send) {
  let isCut = false;
  const send: Send = async (request) => {
    if (isCut && new URL(request.url).host === DATA_SERVICE)
      throw httpError({ code: 'HTTP_NOT_SENT', retryable: true });
    return direct(request);
  };
  const cut = (wanted: boolean) => {
    isCut = wanted;
  };
  return { send, cut };
}

function seededIds(random: Random): () => string {
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
  return () => [8, 4, 4, 4, 12].map(hex).join('-');
}
