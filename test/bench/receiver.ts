import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { signWebhook } from '#shared/hubspot';
import { CLIENT_SECRET, PUBLIC_URL, type ServerKind } from './receiver-server.ts';
import { percent, percentile, type Row, table } from './table.ts';

/** HubSpot has at most ten requests in progress. */
const AT_ONCE = 10;
const WARM_UP_MS = 1_000;
const MEASURED_MS = 3_000;
/** Rounds of each kind, alternating, so that a busy moment of the machine affects both. */
const ROUNDS = 2;
const SERVER = fileURLToPath(new URL('./receiver-server.ts', import.meta.url));

interface Load {
  readonly kind: ServerKind;
  readonly events: number;
  readonly atOnce: number;
}

/**
 * Measures deliveries of our receiver and of a bare server in a second of the server's own processor time, which other
 * work does not change. Also measures in real time how long a full body takes.
 */
export async function measureReceiver(): Promise<string> {
  return [await throughput(), await answerTimes()].join('\n\n');
}

async function throughput(): Promise<string> {
  const rows: Row[] = [];
  for (const events of [1, 10, 100]) {
    const rates = { bare: 0, receiver: 0 };
    for (let round = 0; round < ROUNDS; round += 1)
      for (const kind of ['bare', 'receiver'] as const)
        rates[kind] += (await run({ kind, events, atOnce: AT_ONCE })).perCpuSecond / ROUNDS;
    const { bare, receiver } = rates;
    rows.push([events, bare.toFixed(0), receiver.toFixed(0), percent(receiver / bare)]);
  }
  return table(
    ['events in a body', 'bare server, deliveries/CPU s', 'receiver, deliveries/CPU s', 'ratio'],
    rows,
  );
}

async function answerTimes(): Promise<string> {
  const rows: Row[] = [];
  for (const kind of ['receiver', 'sqs'] as const)
    for (const atOnce of [1, AT_ONCE]) {
      const { timesMs } = await run({ kind, events: 100, atOnce });
      const [median, most] = [0.5, 0.99].map((share) => `${percentile(timesMs, share).toFixed(1)} ms`);
      const name = kind === 'sqs' ? 'an SQS in the same process' : 'memory';
      rows.push([name, atOnce, timesMs.length, median ?? '', most ?? '']);
    }
  return table(['100 events, queue in', 'at once', 'deliveries', '50th', '99th'], rows);
}

async function run({ kind, events, atOnce }: Load) {
  const server = fork(SERVER, [kind]);
  const [port] = await once(server, 'message');
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: atOnce });
  const body = bodyOf(events);
  await deliver(pool, { body, atOnce, forMs: WARM_UP_MS });
  const before = await workOf(server);
  const timesMs = await deliver(pool, { body, atOnce, forMs: MEASURED_MS });
  const cpuSeconds = (await workOf(server)) - before;
  await pool.close();
  server.kill();
  await once(server, 'exit');
  return { perCpuSecond: timesMs.length / cpuSeconds, timesMs };
}

/** Processor time so far, in seconds. */
async function workOf(server: ChildProcess): Promise<number> {
  server.send('work');
  const [microseconds] = await once(server, 'message');
  return Number(microseconds) / 1e6;
}

interface Delivering {
  readonly body: string;
  readonly atOnce: number;
  readonly forMs: number;
}

/** Repeats one delivery that is signed once, because the sender's work is not measured. */
async function deliver(pool: Pool, { body, atOnce, forMs }: Delivering): Promise<number[]> {
  const timestampMs = Date.now();
  const signed = { method: 'POST', publicUrl: PUBLIC_URL, rawBody: body, clientSecret: CLIENT_SECRET };
  const headers = { 'content-type': 'application/json', ...signWebhook({ ...signed, timestampMs }) };
  const timesMs: number[] = [];
  const until = performance.now() + forMs;
  const lane = async () => {
    while (performance.now() < until) {
      const startedAt = performance.now();
      const answer = await pool.request({ method: 'POST', path: '/hubspot', headers, body });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`The server answered ${answer.statusCode}.`);
      timesMs.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return timesMs;
}

/** Changes of an address, each of another contact. They cannot be coalesced, so they make the most messages. */
function bodyOf(count: number): string {
  const events = Array.from({ length: count }, (_, index) => ({
    eventId: 1_765_889_350 + index,
    subscriptionId: 7_662_269,
    portalId: 62_515,
    appId: 51_879_189,
    occurredAt: Date.UTC(2026, 10, 21),
    subscriptionType: 'object.propertyChange',
    attemptNumber: 0,
    objectId: 546_500_061_938 + index,
    objectTypeId: '0-1',
    propertyName: 'email',
    propertyValue: `person-${index}@mail.example`,
    changeSource: 'CRM_UI',
    sourceId: 'userId:98499705',
    isSensitive: false,
  }));
  return JSON.stringify(events);
}
