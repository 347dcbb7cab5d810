import { HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { createWorld, type World } from '../builders/world.ts';
import { percent, type Row, table } from './table.ts';

const MESSAGES = 10_000;
/** The interval of the stack's schedule. */
const SWEEP_MS = 5 * MINUTE_MS;

interface Scenario {
  readonly name: string;
  readonly queue: 'live' | 'bulk';
  /** Concurrent functions on the queue, with five live records each or ten bulk ones. */
  readonly functions: number;
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'backfill of records that were there', queue: 'bulk', functions: 2 },
  { name: 'import of new records: webhooks and sweep', queue: 'live', functions: 2 },
];

/** Counts message receives until 10,000 records are finished at 20 a minute. In virtual time. */
export async function measureQueueReceives(messages = MESSAGES): Promise<string> {
  const rows: Row[] = [];
  for (const scenario of SCENARIOS) rows.push(await drain(scenario, messages));
  const header = ['10,000 queued by', 'functions at once', 'receives a record', 'receives a message'];
  return table([...header, 'queued once more', 'put off', 'hours'], rows);
}

async function drain({ name, queue, functions }: Scenario, messages: number): Promise<Row> {
  const world = await createWorld({
    policy: { budgets: { perDay: 1_000_000 } },
    agedMs: queue === 'bulk' ? HOUR_MS : 0,
  });
  const ids = await createContacts(world, messages);
  const counts = countMessages(world);
  if (queue === 'live') await world.portal.sandbox.deliverWebhooks();
  else {
    await world.clock.sleep(2 * HOUR_MS);
    await world.queues.bulk.send(
      ids.map((id) => ({ objectType: 'contacts', id, purpose: 'backfill', eventKeys: [] })),
    );
  }
  const startedMs = world.clock.now();
  const queued = counts.sent;
  await workAndSweep(world, { queue, functions });
  const states = await world.states();
  const finished = states.filter(({ run, outcomes }) => !run && outcomes.enriched > 0).length;
  const each = (count: number) => (counts.received / count).toFixed(2);
  const putOff = world.logs.filter(({ event }) => event === 'record-waiting').length / finished;
  const hours = ((world.clock.now() - startedMs) / HOUR_MS).toFixed(1);
  return [
    name,
    functions,
    each(finished),
    each(counts.removed),
    counts.sent - queued,
    percent(putOff),
    hours,
  ];
}

async function createContacts({ portal, dataService }: World, count: number): Promise<string[]> {
  const known = dataService.world.people.filter(({ job }) => job.email !== undefined);
  const ids: string[] = [];
  for (const { job } of known.slice(0, count))
    ids.push((await portal.create('contacts', { email: job.email ?? '' })).id);
  return ids;
}

function countMessages({ queues }: World) {
  const counts = { received: 0, sent: 0, removed: 0 };
  for (const queue of [queues.live, queues.bulk]) {
    const { receive, send, remove } = queue;
    queue.receive = (max) => {
      const records = receive(max);
      counts.received += records.length;
      return records;
    };
    queue.send = (sent) => {
      counts.sent += sent.length;
      return send(sent);
    };
    queue.remove = (messageIds) => {
      const gone = [...messageIds];
      counts.removed += gone.length;
      remove(gone);
    };
  }
  return counts;
}

/** Runs workers while there are messages. Every five minutes the sweep queues postponed records. */
async function workAndSweep(world: World, { queue, functions }: Pick<Scenario, 'queue' | 'functions'>) {
  let working = true;
  const sweeping = (async () => {
    while (working) {
      await world.clock.sleep(SWEEP_MS);
      await world.processes.reconcile();
    }
  })();
  const workers = Array.from({ length: queue === 'bulk' ? functions : 1 });
  while (await isOpen(world)) {
    await Promise.all(workers.map(() => world.processes.work({ workers: queue === 'bulk' ? 0 : functions })));
    await world.clock.sleep(MINUTE_MS);
  }
  working = false;
  await sweeping;
}

async function isOpen(world: World): Promise<boolean> {
  if (world.queues.live.size() + world.queues.bulk.size() > 0) return true;
  return (await world.states()).some(({ run }) => run !== undefined);
}
