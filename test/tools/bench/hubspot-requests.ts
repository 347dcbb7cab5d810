import { createWorld, type World } from '../../harness/world.ts';
import { type Row, table } from './table.ts';

const SIZES = [1, 10, 100];

interface Counted {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly count: number;
}

/** Measures the HubSpot requests of records that are enriched in one batch. In virtual time, over the two stand-ins. */
export async function measureHubSpotRequests(): Promise<string> {
  const rows: Row[] = [];
  for (const size of SIZES) rows.push(await measure(size));
  return table(['records in a batch', 'enriched', 'requests', 'requests a record', 'of these'], rows);
}

async function measure(size: number): Promise<Row> {
  const world = await createWorld({
    policy: { budgets: { perDay: 100_000 } },
    // Fast enough that the rate never postpones a record, which would make another batch.
    dataService: { rateLimitPerMinute: 10_000, latencyMs: 10 },
  });
  await createContacts(world, size);
  await world.portal.sandbox.deliverWebhooks();
  const before = await requestsOf(world);
  await workAsOneBatch(world, size);
  const requests = difference(await requestsOf(world), before);
  const states = await world.states();
  const enriched = states.filter(({ outcomes }) => outcomes.enriched > 0).length;
  const total = requests.reduce((sum, { count }) => sum + count, 0);
  const kinds = requests.map(({ path, count }) => `${count} ${path}`).join(', ');
  return [size, enriched, total, (total / enriched).toFixed(2), kinds];
}

/** Receives all messages at once, independent of the event source's batch size. */
async function workAsOneBatch({ queues, processes }: World, size: number): Promise<void> {
  const { receive } = queues.live;
  queues.live.receive = () => receive(size);
  await processes.work({ workers: 1 });
}

async function createContacts({ portal, dataService }: World, count: number): Promise<void> {
  const known = dataService.world.people.filter(({ job }) => job.email !== undefined);
  for (const { job } of known.slice(0, count)) await portal.create('contacts', { email: job.email ?? '' });
}

async function requestsOf({ portal }: World): Promise<readonly Counted[]> {
  const answer = await portal.sandbox.handle(new Request('https://hubspot.example/_sandbox/requests'));
  const { requests }: { requests: readonly Counted[] } = JSON.parse(await answer.text());
  return requests;
}

function difference(after: readonly Counted[], before: readonly Counted[]): readonly Counted[] {
  return after
    .map((one) => ({
      ...one,
      path: one.path.replace(/^\/crm\/(\w+)\/\{version\}\/\{objectType\}/, '$1'),
      count: one.count - (before.find((earlier) => isSame(earlier, one))?.count ?? 0),
    }))
    .filter(({ count }) => count > 0);
}

function isSame(one: Counted, other: Counted): boolean {
  return one.method === other.method && one.path === other.path && one.status === other.status;
}
