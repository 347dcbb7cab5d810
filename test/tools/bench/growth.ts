import { createLedgerReader } from '#inside/credit-ledger/ledger.ts';
import { auditNext } from '#inside/records/audit.ts';
import { countWaiting, lastWaiting } from '#inside/records/count-waiting.ts';
import type { StoredStatus } from '#inside/records/status/schemas.ts';
import type { SpendMonth } from '#inside/spend/schemas.ts';
import { createSpendBook } from '#inside/spend/spend-book.ts';
import { PROJECTION } from '#inside/spend/stored-kinds.ts';
import { type LedgerEntry, type LedgerReader, verifyNewest } from '#shared/credit-ledger';
import { LANES } from '#shared/crm';
import { MINUTE_MS } from '#shared/kernel';
import { createDigest } from '#shared/kernel/adapters';
import { readGauges } from '#shared/metrics';
import { openWaiting, queuePlace, type RecordItems, type RecordState, statusKind } from '#shared/records';
import { readReport, type StopSources } from '#shared/spend';
import { admitWaiting } from '#shared/work-queue';
import { createHandler as createRefresher } from '../../../functions/refresh-stale/handler.ts';
import { createMemoryItems } from '../../harness/memory-items.ts';
import { contact } from '../../harness/people.ts';
import { settleDown } from '../../harness/steps.ts';
import { createWorld, type World } from '../../harness/world.ts';
import { endlessLog, endlessRecords } from './endless-items.ts';
import { type Row, table } from './table.ts';

const SIZES = [1_000, 100_000, 10_000_000];
const SAMPLES = 40;

/**
 * Measures the read units of repeated tasks, by number of settled records, of waiting records and of ledger entries.
 */
export async function measureGrowth(): Promise<string> {
  const sample = await takeSample();
  const columns: Row[][] = [];
  for (const size of SIZES) columns.push(await measure(sample, size));
  const rows = (columns[0] ?? []).map(
    ([name], nth): Row => [name ?? '', ...columns.map((column) => column[nth]?.[1] ?? '')],
  );
  const header = ['read units', ...SIZES.map((size) => size.toLocaleString('en'))];
  return [table(header, rows), EXPLANATION].join('\n\n');
}

const EXPLANATION = `A record and an entry as the system leaves them, in stores that count by DynamoDB's rules and make up
the rest: so the last column is counted as well, not extrapolated. Items of a fixed number beside them are not counted.`;

interface Sample {
  readonly world: World;
  readonly settled: RecordState;
  readonly entries: readonly LedgerEntry[];
}

/** Enriches some contacts, and returns their stored items. */
async function takeSample(): Promise<Sample> {
  const world = await createWorld();
  for (let nth = 0; nth < SAMPLES; nth += 1) await contact(world, nth);
  await settleDown(world);
  const [settled] = await world.states();
  if (!settled) throw new Error('There is no record.');
  const entries = await world.ledger();
  // Twice, because a check of the newest entries reads more than these.
  return { world, settled, entries: [...entries, ...entries] };
}

async function measure(sample: Sample, size: number): Promise<Row[]> {
  const { world, settled, entries } = sample;
  const { clock, policy, services } = world;
  const { timeZone } = policy;
  const records = recordsLike(settled, size);
  const log = endlessLog(entries, size);
  const { ledger, spendBook, checkBooks } = await booksOver(world, { store: log, size });
  const status = createMemoryItems<StoredStatus>();
  const counted = () => lastWaiting(status);
  const common = { records, ledger, spendBook, clock, timeZone };
  const { breakers } = services.questions;
  const gauged = { ...services, ...common, counted, breakers, policy, dearestCredits: 3 };
  const choosing = {
    records,
    ledger,
    policy,
    clock,
    logger: SILENT,
    worstCaseCredits: () => 3,
    newId: () => 'r',
  };
  const units = async (work: () => Promise<unknown>) => {
    await work();
    return records.units() + log.units();
  };
  records.units();
  log.units();
  const count = await roundOf(async () => {
    const one = await units(() => countWaiting({ records, status, clock }));
    return { units: one, isDone: (await counted()) !== undefined };
  });
  const audit = await roundOf(async () => {
    let isDone = false;
    const one = await units(async () => {
      isDone = (await auditNext({ records, status, clock }))?.whole !== undefined;
    });
    return { units: one, isDone };
  });
  return [
    ['gauges, every minute', await units(() => readGauges(gauged))],
    ['letting in whose turn it is, every minute', await units(() => admitFrom(world, { records, ledger }))],
    ['check of the newest ledger entries, every minute', await units(checkBooks)],
    ['count of waiting records: most in a minute', count.most],
    ['count of waiting records: the whole round, begun once an hour', count.sum.toLocaleString('en')],
    ['audit of runs: most in a minute', audit.most],
    ['audit of runs: the whole round, begun once a day', audit.sum.toLocaleString('en')],
    ['selection for the refresh, every hour', await units(createRefresher(choosing))],
    ['spend page, one look', await units(() => readReport({ ...common, waiting: { records, counted } }))],
    [
      'spend page, one look while the key is refused',
      await units(() => readReport({ ...common, waiting: { records, counted }, stops: REFUSED })),
    ],
  ];
}

const REFUSED: StopSources = {
  breakers: { read: async () => ({ doubtsInRow: 0, keyRefused: { probeAtMs: 0, sinceMs: 0, keyHash: '' } }) },
  writeBreakers: { open: async () => undefined },
  checkBooks: async () => ({ problems: [] }),
};

/** For the month's costs: one pass over a million records, and one count of 100,000 waiting records. */
export async function readsOfSize() {
  const { world, settled } = await takeSample();
  const { clock } = world;
  const many = recordsLike(settled, 1_000_000);
  const status = createMemoryItems<StoredStatus>();
  const settledOnly = {
    ...many,
    page: async (query: PageQuery) => (query.partition === 'settled' ? many.page(query) : { values: [] }),
  };
  const audit = await roundOf(async () => {
    const isDone = (await auditNext({ records: settledOnly, status, clock }))?.whole !== undefined;
    return { units: many.units(), isDone };
  });
  const some = recordsLike(settled, 100_000);
  const count = await roundOf(async () => {
    await countWaiting({ records: some, status, clock });
    return { units: some.units(), isDone: (await lastWaiting(status)) !== undefined };
  });
  const bytes = JSON.stringify(settled).length;
  return { records: { read: audit.sum, bytes }, waiting: { read: count.sum, most: count.most } };
}

type PageQuery = Parameters<RecordItems['page']>[0];

/** Equal numbers of settled and queued records. */
function recordsLike(settled: RecordState, size: number) {
  const opening = { runId: 'r', purpose: 'import', nowMs: 0, untilMs: 0, reason: 'queued' } as const;
  const inTurn = queuePlace('import');
  const states = { settled, [inTurn]: openWaiting(settled, opening) };
  return endlessRecords(states, { settled: size, [inTurn]: size });
}

/** Has room for a full queue. */
function admitFrom(world: World, { records, ledger }: { records: RecordItems; ledger: LedgerReader }) {
  const { services, queues, clock } = world;
  const questions = { ...services.questions, ledger: { ...services.questions.ledger, ...ledger } };
  const parts = { ...services, questions, records, queues, clock, cheapestCredits: 1 };
  const waits = { dearestCredits: 3, breakers: services.questions.breakers };
  const rest = {
    ...waits,
    ...{ installedAtMs: 0, askerGraceMs: 0, newId: () => 'r', logger: SILENT, random: () => 0 },
    ...{
      advanceBackfills: async () => 0,
      archivePolicy: async () => undefined,
      expireValues: async () => undefined,
      projectSpend: async () => undefined,
      sendAlerts: async () => undefined,
      keepHome: async () => undefined,
      reportGauges: async () => undefined,
      reportHubSpotGauges: async () => undefined,
    },
  };
  const room = new Map(LANES.map((lane) => [lane, 400]));
  return admitWaiting({ ...parts, ...rest }, { room, bound: room });
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** @returns read units of the most expensive part and of all parts together. */
async function roundOf(
  part: () => Promise<{ readonly units: number; readonly isDone: boolean }>,
): Promise<{ readonly most: number; readonly sum: number }> {
  let [most, sum] = [0, 0];
  for (let isDone = false; !isDone; ) {
    const one = await part();
    [most, sum, isDone] = [Math.max(most, one.units), sum + one.units, one.isDone];
  }
  return { most, sum };
}

/** Books whose sums have reached the newest entry, as a minute later. */
async function booksOver(
  world: World,
  { store, size }: { store: ReturnType<typeof endlessLog>; size: number },
) {
  const { clock, policy } = world;
  const digest = createDigest('an installation secret of a test');
  const { budgets, timeZone } = policy;
  const status = createMemoryItems<StoredStatus>();
  const spendBook = createSpendBook({
    items: createMemoryItems<SpendMonth>(),
    status,
    store,
    clock,
  });
  await status.write({
    key: statusKind.key(`spend#${PROJECTION}`),
    value: { spend: { lastSeq: size - 1 } },
    expectedVersion: undefined,
  });
  await clock.sleep(MINUTE_MS);
  return {
    spendBook,
    ledger: createLedgerReader({ store, account: 'default', clock, budgets, timeZone }),
    checkBooks: () => verifyNewest(store, { digest }),
  };
}
