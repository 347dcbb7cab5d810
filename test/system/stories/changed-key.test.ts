import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPrograms } from '../../harness/programs.ts';
import { freePort, startServices, startStranger } from './services.ts';

const programs = createPrograms();

let services: Awaited<ReturnType<typeof startServices>>;
let env: Readonly<Record<string, string>>;
beforeEach(async () => {
  services = await startServices(programs);
  env = { ...services.env, DATA_DIR: await mkdtemp(join(tmpdir(), 'key-')) };
  expect(await programs.cli(['setup'], env)).toMatchObject({ code: 0 });
});
afterEach(async () => {
  await programs.endAll();
  await rm(env['DATA_DIR'] ?? '', { recursive: true, force: true });
});

const requests = async () => Number((await services.bill())['requests']);

async function until(happened: () => Promise<boolean>): Promise<void> {
  while (!(await happened())) await sleep(100);
}

describe('a key that the data service refuses', () => {
  it('stops the questions that would be asked with it, and none with another key', async () => {
    const [email = ''] = await services.knownEmails();
    const lookup = (DATA_SERVICE_API_KEY: string) =>
      programs.cli(['lookup', 'email', email, '--yes', '--json'], { ...env, DATA_SERVICE_API_KEY });
    expect((await lookup('sandbox-key-old')).code).toBe(2);
    const asked = await requests();
    expect((await lookup('sandbox-key-old')).code).toBe(2);
    expect(await requests()).toBe(asked);
    const { code, out } = await lookup('sandbox-key');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ found: true, credits: 1 });
  });

  it('is another at another address: nothing is booked, and the right one is asked at once', async () => {
    const [email = ''] = await services.knownEmails();
    const page = { status: 404, type: 'text/html', body: '<html><h1>404 Not Found</h1></html>' };
    const { url, close } = await startStranger(page);
    const lookup = (DATA_SERVICE_BASE_URL: string) =>
      programs.cli(['lookup', 'email', email, '--yes', '--json'], { ...env, DATA_SERVICE_BASE_URL });
    for (const address of [url, `${url}/api`, `${services.dataService}/v2`]) {
      const { code, out } = await lookup(address);
      expect([code, JSON.parse(out)]).toMatchObject([2, { error: { code: 'wrong-address' } }]);
    }
    await close();
    const { out } = await programs.cli(['spend', '--json'], env);
    expect(JSON.parse(out)).toMatchObject({ spentTodayCredits: 0, pendingCredits: 0, doubtfulCredits: 0 });
    expect(JSON.parse((await lookup(services.dataService)).out)).toMatchObject({ found: true, credits: 1 });
  });

  it('holds up no record longer than until a new one is set', async () => {
    const port = await freePort();
    await services.setHubSpot({ webhookUrl: `http://127.0.0.1:${port}/hubspot` });
    const running = programs.npmStart([], { ...env, PORT: String(port) });
    await running.line(/^Serving/);
    await services.setDataService({ faults: [{ kind: 'status', status: 401, rate: 1 }] });
    const [email = ''] = await services.knownEmails();
    await services.createContact({ email });
    await running.line(/key-refused/);
    expect((await running.interrupt()).code).toBe(0);
    await services.setDataService({ faults: [] });
    const renewed = { ...env, PORT: String(port), DATA_SERVICE_API_KEY: 'sandbox-key-2' };
    const again = programs.npmStart([], renewed);
    await until(async () => (await services.contactProperty('enrichment_status')) === 'enriched');
    expect((await services.bill())['creditsCharged']).toBe(1);
    expect((await again.interrupt()).code).toBe(0);
  });
});
