import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPrograms } from '../../harness/programs.ts';
import { freePort, startServices } from './services.ts';

type Json = Readonly<Record<string, unknown>>;

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The stand-ins on ports, and the system beside them as somebody runs it on a laptop with real services. */
export async function openStage() {
  const folder = await mkdtemp(join(tmpdir(), 'portals-'));
  const programs = createPrograms();
  const services = await startServices(programs);
  const { dataService: dataServiceUrl, hubSpot: hubSpotUrl } = services;
  const port = await freePort();
  const webhookUrl = `http://127.0.0.1:${port}/hubspot`;
  const own = {
    DATA_DIR: folder,
    CREDITS_PER_DAY: '100',
    WEBHOOK_PUBLIC_URL: webhookUrl,
    PORT: String(port),
  };
  const env = { ...services.env, ...own };
  const atHubSpot = (method: string, verb: string, body?: unknown) =>
    ask(`${hubSpotUrl}/_sandbox/${verb}`, method, body);
  await atHubSpot('PUT', 'settings', { webhookUrl, webhookDelayMs: 0 });
  const run = (...words: readonly string[]) => programs.cli(words, env);
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
    start: (more: Readonly<Record<string, string>> = {}) => programs.npmStart([], { ...env, ...more }),
    deliver: (events: readonly unknown[]) =>
      deliver(webhookUrl, { events, clientSecret: env.HUBSPOT_CLIENT_SECRET }),
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
      await programs.endAll();
      await rm(folder, { recursive: true, force: true });
    },
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
async function deliver(
  url: string,
  { events, clientSecret }: { events: readonly unknown[]; clientSecret: string },
): Promise<number> {
  const body = JSON.stringify(events);
  const timestamp = String(Date.now());
  const signature = createHmac('sha256', clientSecret)
    .update(`POST${url}${body}${timestamp}`)
    .digest('base64');
  const headers = {
    'content-type': 'application/json',
    'x-hubspot-signature-v3': signature,
    'x-hubspot-request-timestamp': timestamp,
  };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}
