import { openApp } from '#shared/app';
import { parsePolicy } from '#shared/field-policy';
import {
  createDigest,
  systemIds as newId,
  systemRandom as random,
  systemClock,
} from '#shared/kernel/adapters';
import { encodeMessage } from '#shared/work-queue';
import { createHandler as createWorker } from '../../../functions/enrich-records/handler.ts';
import { createHandler as createReconciler } from '../../../functions/reconcile/handler.ts';
import { createStandInSend } from '../../../infra/local/virtual/stand-in-send.ts';
import { createDataServiceSandbox } from '../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { createPortal, TOKEN } from '../../harness/hubspot-portal.ts';
import { createMemoryQueue } from '../../harness/memory-queue.ts';
import { oneQueue } from '../../harness/one-queue.ts';
import { preparedPortal } from '../../harness/prepared-portal.ts';
import { type CountedDynamo, startCountedDynamo, type Tally } from './counted-dynamo.ts';
import { HOUSEHOLD, PRICES } from './prices.ts';
import { type Row, table } from './table.ts';

const SERVICE_URL = 'https://data.example';

const RECORDS = 100;
const BATCH = 5;
const MEMORY_GB = 0.5;
const PORTAL_URL = 'https://hubspot.example';

/**
 * Computes the AWS cost of 1,000 enriched contacts, and of a month without any. DynamoDB is measured, the rest
 * computed.
 */
export async function measureAwsCosts(): Promise<string> {
  const dynamo = await startCountedDynamo();
  try {
    const { record, sweep } = await countUnits(dynamo);
    return [perThousand(record), perMonth(sweep), EXPLANATION].join('\n\n');
  } finally {
    await dynamo.close();
  }
}

const EXPLANATION = `Prices: us-east-1, November 2026, on demand, before free tiers. Quiet: a worker waits 3 s for one answer. Busy: two workers share 20 requests a minute and are paid while they wait. The data service's credits are not in it.`;

/** Capacity units of a record, from its message to its outcome, and of a sweep that finds nothing. */
async function countUnits(dynamo: CountedDynamo): Promise<{ record: Units; sweep: Units }> {
  const clock = systemClock;
  const installedAtMs = clock.now() - 1_000;
  const settings = { rateLimitPerMinute: 1_000_000, latencyMs: 0 };
  const service = createDataServiceSandbox({ clock, settings });
  const receive = async () => new Response('');
  const saved = await preparedPortal(installedAtMs);
  const portal = createPortal({ clock, seed: 1, settings: { webhookUrl: null }, saved, receive });
  const hosts = {
    [new URL(SERVICE_URL).host]: service.handle,
    [new URL(PORTAL_URL).host]: portal.sandbox.handle,
  };
  const policy = parsePolicy({ budgets: { perDay: 100_000 } });
  const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const common = { policy, installedAtMs, clock, random, newId, logger: silent };
  const services = openApp({
    ...common,
    store: dynamo.store,
    digest: createDigest('an installation secret of a measure'),
    dataService: { baseUrl: SERVICE_URL, apiKey: 'sandbox-key' },
    hubSpot: { baseUrl: PORTAL_URL, accessToken: TOKEN },
    send: createStandInSend({ clock, hosts }),
  });
  const work = createWorker({ ...services, ...common });
  const known = service.world.people.filter(({ job }) => job.email !== undefined).slice(0, RECORDS);
  dynamo.tally();
  for (let first = 0; first < RECORDS; first += BATCH) {
    const batch = known.slice(first, first + BATCH);
    const made = await Promise.all(
      batch.map(({ job }) => portal.create('contacts', { email: job.email ?? '' })),
    );
    const Records = made.map(({ id }) => ({
      messageId: id,
      body: encodeMessage({ objectType: 'contacts', id, purpose: 'live', eventKeys: [id] }),
    }));
    await work({ Records }, { getRemainingTimeInMillis: () => 300_000 });
  }
  const record = unitsOf(dynamo.tally(), RECORDS);
  const queue = createMemoryQueue({ clock, visibilityMs: 1, maxReceiveCount: 5 });
  const sweep = createReconciler({
    ...services,
    ...common,
    breakersInForce: services.breakers,
    queues: oneQueue(queue),
    ratePerMinute: async () => 20,
    askerGraceMs: 300_000,
    tell: undefined,
    name: 'bench',
    metrics: { emit: () => undefined },
  });
  await sweep();
  dynamo.tally();
  await sweep();
  return { record, sweep: unitsOf(dynamo.tally(), 1) };
}

interface Units {
  readonly read: number;
  readonly write: number;
  /** The part of `write` that the index takes. */
  readonly index: number;
}

function unitsOf({ readUnits, writeUnits, indexUnits }: Tally, count: number): Units {
  return { read: readUnits / count, write: (writeUnits + indexUnits) / count, index: indexUnits / count };
}

function perThousand(units: Units): string {
  const lambda = (seconds: number) =>
    seconds * MEMORY_GB * PRICES.lambdaGbSecond * 1_000 + 1_000 * PRICES.lambdaRequest;
  const dynamo = dynamoOf(units) * 1_000;
  const rows = [
    priced('HTTP API, one event a delivery', 1_000 * PRICES.apiRequest),
    priced('receiver, 50 ms', lambda(0.05)),
    priced('SQS, four requests a record', 4_000 * PRICES.sqsRequest),
    priced(
      `DynamoDB, ${units.write.toFixed(1)} write units (${units.index.toFixed(1)} of them of the index) and ${units.read.toFixed(1)} read units a record`,
      dynamo,
    ),
    priced('logs, 3 KB a record', (1_000 * 3e3 * PRICES.logGb) / 1e9),
  ];
  const fixed = rows.reduce((sum, { dollars }) => sum + dollars, 0);
  const [quiet, busy] = [lambda(3.5), lambda(6)];
  const workers = [priced('worker, quiet (3.5 s) and busy (6 s)', quiet, busy)];
  const sum = priced('together', fixed + quiet, fixed + busy);
  return table(['1,000 enriched contacts', 'US dollars'], [...rows, ...workers, sum].map(rowOf));
}

function perMonth(sweep: Units): string {
  const { sweeps, sweepSeconds, sweepLogBytes, refreshes, alarms, metrics, emptyReceives } = HOUSEHOLD;
  const lambda = sweeps * (sweepSeconds * MEMORY_GB * PRICES.lambdaGbSecond + PRICES.lambdaRequest);
  const rows = [
    priced('empty receives of three queues', emptyReceives * PRICES.sqsRequest),
    priced(`${alarms} alarms`, alarms * PRICES.alarmMonth),
    priced(
      `${metrics.always} metrics of our own, ${metrics.atMost} at most`,
      metrics.always * PRICES.metricMonth,
      metrics.atMost * PRICES.metricMonth,
    ),
    priced('dashboard, free for the first three of an account', 0, PRICES.dashboardMonth),
    priced('sweep every minute, refresh every hour', lambda + (sweeps + refreshes) * PRICES.scheduleCall),
    priced(
      `DynamoDB for the sweeps, ${sweep.write.toFixed(0)} write and ${sweep.read.toFixed(0)} read units each`,
      dynamoOf(sweep) * sweeps,
    ),
    priced('logs of the sweeps', (sweeps * sweepLogBytes * PRICES.logGb) / 1e9),
  ];
  const low = rows.reduce((sum, { dollars }) => sum + dollars, 0);
  const high = rows.reduce((sum, { dollars, most }) => sum + (most ?? dollars), 0);
  return table(['a month without work', 'US dollars'], [...rows, priced('together', low, high)].map(rowOf));
}

function dynamoOf({ read, write }: Pick<Units, 'read' | 'write'>): number {
  return read * PRICES.readUnit + write * PRICES.writeUnit;
}

interface Priced {
  readonly what: string;
  readonly dollars: number;
  readonly most?: number | undefined;
}

function priced(what: string, dollars: number, most?: number): Priced {
  return { what, dollars, most };
}

function rowOf({ what, dollars, most }: Priced): Row {
  const text = (amount: number) => (amount === 0 ? '0' : amount.toFixed(amount < 0.1 ? 4 : 2));
  return [what, most === undefined ? text(dollars) : `${text(dollars)} to ${text(most)}`];
}
