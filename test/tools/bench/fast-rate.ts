import type { Send } from '#shared/http';
import { type Clock, MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { type Pace, workPaceFor } from '#shared/work-queue';
import { HUBSPOT_URL } from '../../harness/addresses.ts';
import { importContacts, liveWithEventSources, submitForm } from '../../harness/event-sources.ts';
import type { RecordName } from '../../harness/hubspot-portal.ts';
import { createWorld, type World } from '../../harness/world.ts';
import { createSlowDynamo, type TableUse } from './slow-dynamo.ts';
import { percent, percentile, type Row, seconds, table } from './table.ts';

/** List prices of us-east-1 in November 2026, US dollars, on demand. */
const PRICES = { writeUnit: 0.625 / 1e6, readUnit: 0.125 / 1e6 } as const;
/** Size of the import for which the report gives hours. */
const IMPORT = 100_000;
/** Minutes of work that wait at the start. */
const MINUTES = 6;
const LEAD_EVERY_MS = 10 * SECOND_MS;
/** One request, in virtual time. */
const HUBSPOT_MS = 100;

interface Case {
  readonly name: string;
  readonly rate: number;
  readonly counting?: 'fixed' | 'sliding';
  readonly records?: number;
  /** Sizes for another rate than the vendor's: the behaviour before sizes followed the rate. */
  readonly paceOf?: number;
}

const CASES: readonly Case[] = [
  { name: '20', rate: 20 },
  { name: '100', rate: 100 },
  { name: '300', rate: 300 },
  { name: '600', rate: 600 },
  { name: '600, sliding minute', rate: 600, counting: 'sliding' },
  { name: '600, batches as at 20', rate: 600, paceOf: 20 },
];

/**
 * Imported records wait while leads arrive, in virtual time: the real functions behind event sources of the derived
 * sizes, DynamoDB 2 to 8 ms away, HubSpot 100 ms, the data service 3 s. `RECORDS` sets another number at 600 a minute.
 */
export async function measureFastRate(): Promise<string> {
  const records = Number(process.env['RECORDS'] ?? 0);
  const cases = records > 0 ? [{ name: `600, ${records} records`, rate: 600, records }] : CASES;
  const rows: Row[] = [];
  for (const one of cases) rows.push(await measure(one));
  const header = [
    ...['requests a minute', 'rate used', 'records a minute', `hours for ${IMPORT}`, '429'],
    ...['ledger appends a second', 'its largest entry', 'its write units a second'],
    ...['DynamoDB requests a record', 'units a record, written and read', 'dollars per 1,000 records'],
    ...['HubSpot requests in 10 s, most', 'its 429', 'p95 of a lead', 'longest'],
  ];
  return table(header, rows);
}

/** Observations of one minute. */
interface Minute {
  readonly requests: number;
  readonly ended: number;
  readonly use: ReadonlyMap<string, TableUse>;
}

async function measure({
  name,
  rate,
  counting = 'fixed',
  records = rate * MINUTES,
  paceOf,
}: Case): Promise<Row> {
  const slow = createSlowDynamo();
  const watch = createWatch();
  const world = await createWorld({
    policy: { budgets: { perDay: 10_000_000 } },
    dataService: { rateLimitPerMinute: rate, rateAlgorithm: counting, creditBalance: 10_000_000 },
    hubSpot: { latencyMs: HUBSPOT_MS },
    store: slow.store,
    through: watch.through,
  });
  // Its answer shows the rate.
  await submitForm(world, 'first');
  await world.processes.work();
  await importContacts(world, records);
  await world.clock.sleep(MINUTE_MS);
  slow.useClock(world.clock);
  slow.take();
  watch.begin(world.clock);
  const seen = await workOff(world, { pace: workPaceFor(paceOf ?? rate), records, watch, take: slow.take });
  // Leaves out the first minute, which fills the queues, and the last ones, with less than a minute's work.
  const busy = seen.minutes.filter(
    (_, index) => index > 0 && records - endedUntil(seen.minutes, index) >= rate,
  );
  return [name, ...rowOf(busy.length > 0 ? busy : seen.minutes, { ...seen, rate, watch })];
}

function endedUntil(minutes: readonly Minute[], index: number): number {
  return sum(minutes.slice(0, index + 1).map(({ ended }) => ended));
}

function rowOf(
  busy: readonly Minute[],
  {
    rate,
    waits,
    watch,
  }: { readonly rate: number; readonly waits: readonly number[]; readonly watch: Watching },
): Row {
  const ended = sum(busy.map((minute) => minute.ended));
  const ledger = busy.flatMap(({ use }) => use.get('ledger') ?? []);
  const all = busy.flatMap(({ use }) => [...use.values()]);
  const perSecond = (count: number) => (count / busy.length / 60).toFixed(1);
  const perRecord = (count: number) => (count / ended).toFixed(1);
  const [written, read] = [sum(all.map((one) => one.writeUnits)), sum(all.map((one) => one.readUnits))];
  const dollars = ((written * PRICES.writeUnit + read * PRICES.readUnit) * 1_000) / ended;
  const aMinute = ended / busy.length;
  return [
    percent(sum(busy.map(({ requests }) => requests)) / (rate * busy.length)),
    Math.round(aMinute),
    (IMPORT / aMinute / 60).toFixed(1),
    watch.refused('vendor'),
    perSecond(sum(ledger.map(({ writes, lost }) => writes - lost))),
    `${(Math.max(...ledger.map(({ largestBytes }) => largestBytes)) / 1_024).toFixed(0)} KB`,
    perSecond(sum(ledger.map(({ writeUnits }) => writeUnits))),
    perRecord(sum(all.map(({ reads, writes }) => reads + writes))),
    `${perRecord(written)}, ${perRecord(read)}`,
    dollars.toFixed(3),
    watch.mostInTenSeconds(),
    watch.refused('hubSpot'),
    seconds(percentile(waits, 0.95)),
    seconds(Math.max(...waits)),
  ];
}

interface Work {
  readonly pace: Pace;
  readonly records: number;
  readonly watch: Watching;
  readonly take: () => ReadonlyMap<string, TableUse>;
}

/** Runs until all records have an outcome, with a lead every ten seconds. */
async function workOff(world: World, { pace, records, watch, take }: Work) {
  const minutes: Minute[] = [];
  const leads: { readonly lead: RecordName; readonly atMs: number }[] = [];
  const { reports } = world.processes;
  const ended = () => reports.filter(({ runOutcome }) => runOutcome.kind === 'outcome').length;
  await liveWithEventSources(world, pace, async () => {
    for (let before = ended(); before < records + leads.length; ) {
      for (let ms = 0; ms < MINUTE_MS; ms += LEAD_EVERY_MS) {
        const lead = await submitForm(world, `lead-${leads.length}`);
        leads.push({ lead, atMs: world.clock.now() });
        await world.clock.sleep(LEAD_EVERY_MS);
      }
      const now = ended();
      minutes.push({ requests: watch.takeRequests(), ended: now - before, use: take() });
      before = now;
    }
  });
  const waits = await Promise.all(
    leads.map(async ({ lead, atMs }) => {
      const outcome = (await world.state(lead))?.outcome;
      return outcome ? outcome.atMs - atMs : Number.POSITIVE_INFINITY;
    }),
  );
  return { minutes, waits };
}

type Watching = ReturnType<typeof createWatch>;

/** Counts requests to both services. */
function createWatch() {
  const refused = { vendor: 0, hubSpot: 0 };
  let clock: Pick<Clock, 'now'> | undefined;
  let requests = 0;
  let hubSpotMs: number[] = [];
  return {
    through:
      (send: Send): Send =>
      async (request) => {
        const isHubSpot = request.url.startsWith(HUBSPOT_URL);
        if (isHubSpot) hubSpotMs.push(clock?.now() ?? 0);
        else requests += 1;
        const answer = await send(request);
        if (answer.status === 429) refused[isHubSpot ? 'hubSpot' : 'vendor'] += 1;
        return answer;
      },
    begin: (used: Pick<Clock, 'now'>) => {
      clock = used;
      requests = 0;
      hubSpotMs = [];
    },
    /** Requests to the data service since the last call. */
    takeRequests: () => {
      const taken = requests;
      requests = 0;
      return taken;
    },
    refused: (service: keyof typeof refused) => refused[service],
    mostInTenSeconds: () => {
      let [most, first] = [0, 0];
      for (const [index, atMs] of hubSpotMs.entries()) {
        while ((hubSpotMs[first] ?? atMs) <= atMs - 10 * SECOND_MS) first += 1;
        most = Math.max(most, index - first + 1);
      }
      return most;
    },
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
