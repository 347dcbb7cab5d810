import { laneOf } from '#shared/crm';
import { DAY_MS, HOUR_MS, MINUTE_MS, seededRandom } from '#shared/kernel';
import type { RecordName } from '../../harness/hubspot-portal.ts';
import { settleDown } from '../../harness/steps.ts';
import { createWorld, type World } from '../../harness/world.ts';
import { table } from './table.ts';

const DAYS = 30;
/** Portions of an import, as in HubSpot's own import. */
const PORTION = 2_000;

interface Case {
  readonly imported: number;
  readonly creditsPerDay: number;
  readonly leadsPerDay: number;
}

const imported = Number(process.env['RECORDS'] ?? 100_000);
const CASES: readonly Case[] = [
  { imported, creditsPerDay: 100, leadsPerDay: 5 },
  { imported, creditsPerDay: 1_000, leadsPerDay: 200 },
];

/**
 * A month of new leads after a large import, in virtual time over the real functions and stand-ins. Each record is
 * looked up by its address for a credit.
 */
export async function measureLanes(): Promise<string> {
  const rows: string[][] = [];
  for (const one of CASES) rows.push(await live(one));
  const columns = [
    'imported',
    'credits a day',
    'leads a day',
    'leads done within 2 min',
    'longest wait of a lead',
    'done of the import',
    'forgotten within',
    'minutes to run',
  ];
  return table(columns, rows);
}

const EDITS = 500_000;
/**
 * HubSpot requests of a lead: read the record, read the planned properties, read their definitions, write. Each lead's
 * wave has its own worker.
 */
const REQUESTS_OF_A_LEAD = 4;
/** Edits reported between two leads. */
const WAVE = 2_500;

/** Edits of unprocessed records from before the installation, with a new lead in each wave. */
export async function measureStorm(): Promise<string> {
  const startedMs = performance.now();
  const world = await createWorld();
  const waits: number[] = [];
  world.wire.forget();
  for (let told = 0; told < EDITS; told += WAVE) {
    const lead = await create(world, `lead-${told}`, 'FORM');
    const atMs = world.clock.now();
    const edits = Array.from({ length: WAVE }, (_, index) => ({
      ...({ objectType: 'contacts', purpose: 'live', isChange: true } as const),
      id: String(told + index + 1),
      eventKeys: [`edit-${told + index}`],
    }));
    await world.queues.bulk.send(edits);
    await settleDown(world);
    waits.push(((await world.state(lead))?.outcome?.atMs ?? Number.POSITIVE_INFINITY) - atMs);
    world.logs.length = 0;
  }
  const leads = waits.length;
  const requests = world.wire.hubSpotRequests().length;
  const minutes = (performance.now() - startedMs) / 60_000;
  return table(
    [
      'edits',
      'leads meanwhile',
      'HubSpot requests in all',
      'of these for edits',
      'longest wait of a lead',
      'microseconds of work an edit',
    ],
    [
      [
        String(EDITS),
        String(leads),
        String(requests),
        String(requests - leads * REQUESTS_OF_A_LEAD),
        `${Math.max(...waits) / 1_000} s`,
        ((minutes * 6e7) / EDITS).toFixed(0),
      ],
    ],
  );
}

async function live({ imported, creditsPerDay, leadsPerDay }: Case): Promise<string[]> {
  const startedMs = performance.now();
  const budgets = { perDay: creditsPerDay };
  const world = await createWorld({ policy: { budgets }, dataService: { rateLimitPerMinute: 240 } });
  const random = seededRandom(7);
  const person = await create(world, 'known', 'FORM');
  await settleAndForget(world);
  for (let made = 0; made < imported; made += PORTION) {
    for (let index = made; index < Math.min(imported, made + PORTION); index += 1)
      await create(world, `file-${index}`, 'IMPORT');
    await settleAndForget(world);
  }
  await world.portal.erase(person);
  const eraseMs = world.clock.now();
  await settleAndForget(world);
  const forgottenMs = ((await world.state(person))?.forgottenAtMs ?? Number.POSITIVE_INFINITY) - eraseMs;
  const leads: { readonly record: RecordName; readonly atMs: number }[] = [];
  const firstMs = Math.ceil(world.clock.now() / DAY_MS) * DAY_MS;
  await until(world, firstMs);
  for (let day = 0; day < DAYS; day += 1) {
    const endMs = firstMs + (day + 1) * DAY_MS;
    // They arrive between eight and eighteen o'clock, some of them together.
    const times = Array.from({ length: leadsPerDay }, () => (8 + 10 * random()) * HOUR_MS).sort(
      (a, b) => a - b,
    );
    const startMs = endMs - DAY_MS;
    for (const [index, time] of times.entries()) {
      await until(world, startMs + time);
      leads.push({ record: await create(world, `lead-${day}-${index}`, 'FORM'), atMs: world.clock.now() });
      await settleAndForget(world);
    }
    await until(world, endMs);
  }
  const waits = await Promise.all(
    leads.map(async ({ record, atMs }) => {
      const outcome = (await world.state(record))?.outcome;
      return outcome ? outcome.atMs - atMs : Number.POSITIVE_INFINITY;
    }),
  );
  const inTime = waits.filter((wait) => wait <= 2 * MINUTE_MS).length;
  const entries = await world.ledger();
  const bulk = entries.filter(
    ({ kind, purpose }) => kind === 'posted' && purpose && laneOf(purpose) === 'bulk',
  ).length;
  const counts = [imported, creditsPerDay, leadsPerDay].map(String);
  return [
    ...counts,
    `${inTime} of ${leads.length}`,
    `${(Math.max(...waits) / 1_000).toFixed(0)} s`,
    String(bulk),
    `${(forgottenMs / 1_000).toFixed(0)} s`,
    ((performance.now() - startedMs) / 60_000).toFixed(1),
  ];
}

function create(world: World, name: string, source: string): Promise<RecordName> {
  return world.portal.create('contacts', { email: `${name}@firm-${name}.com` }, [], { source });
}

/** Runs the sweep only every hour, because new leads do not need it. */
async function until(world: World, atMs: number): Promise<void> {
  while (world.clock.now() < atMs) {
    const sweepMs = (Math.floor(world.clock.now() / HOUR_MS) + 1) * HOUR_MS;
    await world.clock.sleep(Math.min(sweepMs, atMs) - world.clock.now());
    if (world.clock.now() < sweepMs) return;
    await world.processes.reconcile();
    await settleAndForget(world);
  }
}

/** Checks the invariants, then drops logs and requests, because a month makes millions. */
async function settleAndForget(world: World): Promise<void> {
  await settleDown(world);
  world.wire.forget();
  world.logs.length = 0;
}
