import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '../..');
const CLIENT_SECRET = 'sandbox-client-secret';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

type Json = Readonly<Record<string, unknown>>;

/** One of the program's processes, with nothing in its environment but what is given. */
function startProcess(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const PATH = process.env['PATH'] ?? '';
  const child: ChildProcess = spawn(process.execPath, args, { cwd: ROOT, env: { PATH, ...env } });
  const text = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text.out += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text.err += chunk;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...text }));
  });
  /** @throws Error with what it said when it ends before it says so. */
  const says = async (words: string): Promise<string> => {
    let over: Ended | undefined;
    void ended.then((how) => {
      over = how;
    });
    while (!text.out.includes(words)) {
      if (over) throw new Error(`It ended with ${over.code}: ${over.out}${over.err}`);
      await sleep(50);
    }
    return text.out;
  };
  const stop = async (): Promise<Ended> => {
    child.kill('SIGINT');
    return ended;
  };
  return { ended, says, stop };
}

export type Started = ReturnType<typeof startProcess>;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The stand-ins on ports, and the system beside them as somebody runs it on a laptop with real services. */
export async function openStage() {
  const folder = await mkdtemp(join(tmpdir(), 'portals-'));
  const standIns = startProcess([
    'infra/sandbox/main.ts',
    ...['--data-service-port', '0', '--hubspot-port', '0'],
  ]);
  const told = await standIns.says('Ctrl-C stops.');
  const [dataServiceUrl = '', hubSpotUrl = ''] = [
    ...told.matchAll(/^(?:Data service|HubSpot) +(\S+)$/gm),
  ].map(([, url]) => url);
  const port = await freePort();
  const webhookUrl = `http://127.0.0.1:${port}/hubspot`;
  const env = realSettings({ folder, dataServiceUrl, hubSpotUrl, webhookUrl, port });
  const atHubSpot = (method: string, verb: string, body?: unknown) =>
    ask(`${hubSpotUrl}/_sandbox/${verb}`, method, body);
  await atHubSpot('PUT', 'settings', { webhookUrl, webhookDelayMs: 0 });
  const run = (...words: readonly string[]) => startProcess(['infra/cli/main.ts', ...words], env).ended;
  const systems: Started[] = [];
  return {
    hubSpotUrl,
    atHubSpot,
    atDataService: (settings: Json) => ask(`${dataServiceUrl}/_sandbox/settings`, 'PUT', settings),
    run,
    /** Writes a policy file. @returns the setting that names it. */
    policy: async (policy: Json): Promise<{ POLICY: string }> => {
      const file = join(folder, 'policy.mjs');
      const whole = { budgets: { perDay: 100 }, ...policy };
      await writeFile(file, `export default ${JSON.stringify(whole)};\n`);
      return { POLICY: file };
    },
    start: (more: Readonly<Record<string, string>> = {}): Started => {
      const system = startProcess(['infra/local/main.ts'], { ...env, ...more });
      systems.push(system);
      return system;
    },
    deliver: (events: readonly unknown[]) => deliver(webhookUrl, events),
    people: async (limit = 100) => {
      const { records } = await ask(`${dataServiceUrl}/_sandbox/records?kind=person&limit=${limit}`, 'GET');
      return records as readonly Json[];
    },
    /** What the data service itself says that it charged, credits. */
    bill: async (): Promise<unknown> =>
      (await ask(`${dataServiceUrl}/_sandbox/bill`, 'GET'))['creditsCharged'],
    explain: async (id: string): Promise<Json> => {
      const { out, err } = await run('explain', `contacts/${id}`, '--json');
      if (out === '') throw new Error(err);
      return JSON.parse(out);
    },
    /** Resolves when no message waits and none is in hand. */
    workedOff: async (): Promise<void> => {
      for (;;) {
        const { queues } = JSON.parse((await run('queue', 'status', '--json')).out);
        const [live] = queues as readonly { waiting: number; inHand: number }[];
        if (live && live.waiting + live.inHand === 0) return;
      }
    },
    close: async () => {
      for (const started of [...systems, standIns]) await started.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Addresses {
  readonly folder: string;
  readonly dataServiceUrl: string;
  readonly hubSpotUrl: string;
  readonly webhookUrl: string;
  readonly port: number;
}

function realSettings({ folder, dataServiceUrl, hubSpotUrl, webhookUrl, port }: Addresses) {
  return {
    DATA_DIR: folder,
    DATA_SERVICE_BASE_URL: dataServiceUrl,
    DATA_SERVICE_API_KEY: 'sandbox-key',
    HUBSPOT_BASE_URL: hubSpotUrl,
    HUBSPOT_ACCESS_TOKEN: 'sandbox-token',
    HUBSPOT_CLIENT_SECRET: CLIENT_SECRET,
    CREDITS_PER_DAY: '100',
    WEBHOOK_PUBLIC_URL: webhookUrl,
    PORT: String(port),
  };
}

async function ask(url: string, method: string, body?: unknown): Promise<Json> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url, { method, headers: { 'content-type': 'application/json' }, ...sent });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${text}`);
  return text === '' ? {} : JSON.parse(text);
}

/** As HubSpot delivers: signed over method, address, body and time. @returns the status. */
async function deliver(url: string, events: readonly unknown[]): Promise<number> {
  const body = JSON.stringify(events);
  const timestamp = String(Date.now());
  const signature = createHmac('sha256', CLIENT_SECRET)
    .update(`POST${url}${body}${timestamp}`)
    .digest('base64');
  const headers = {
    'content-type': 'application/json',
    'x-hubspot-signature-v3': signature,
    'x-hubspot-request-timestamp': timestamp,
  };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}
