import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '#shared/kernel/adapters';
import type { Check } from '../../../../infra/local/doctor/check.ts';
import { createDataServiceSandbox } from '../../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { createHubSpotSandbox } from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { serveSandbox } from '../../../../infra/sandbox/serve.ts';
import { askHubSpot, runCommand } from './console.ts';

const APP_ID = 5_100;
const OTHER_APP = '5200';

let installation: Awaited<ReturnType<typeof install>>;
beforeAll(async () => {
  installation = await install();
});
afterAll(() => installation.close());

/** A laptop with accounts of both services, which are stand-ins on ports. */
async function install() {
  const dataFolder = await mkdtemp(join(tmpdir(), 'own-app-'));
  const clock = systemClock;
  const dataService = createDataServiceSandbox({ clock, settings: { latencyMs: 0 } });
  const settings = { accessToken: 'sandbox-token', clientSecret: 'secret', appId: APP_ID, latencyMs: 0 };
  const hubSpot = createHubSpotSandbox({ clock, settings });
  // Another app's writes, and an account whose token information fails.
  let isSilent = false;
  const handle = (request: Request) =>
    isSilent && request.url.includes('access-token-info')
      ? Promise.resolve(Response.json({ message: 'not found' }, { status: 404 }))
      : hubSpot.handle(request);
  const served = [
    await serveSandbox({ handle: dataService.handle, port: 0 }),
    await serveSandbox({ handle, port: 0 }),
  ];
  const env = {
    DATA_DIR: dataFolder,
    DATA_SERVICE_BASE_URL: served[0]?.url,
    DATA_SERVICE_API_KEY: 'sandbox-key',
    HUBSPOT_BASE_URL: served[1]?.url,
    HUBSPOT_ACCESS_TOKEN: settings.accessToken,
    HUBSPOT_CLIENT_SECRET: settings.clientSecret,
    CREDITS_PER_DAY: '50',
  };
  const run = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runCommand(words, { env: { ...env, ...more } });
  await run(['setup']);
  return {
    run,
    dataService,
    ask: (path: string, body: unknown, method = 'POST') => askHubSpot(hubSpot.handle, { method, path, body }),
    silence: (wanted: boolean) => {
      isSilent = wanted;
    },
    close: async () => {
      for (const each of served) await each.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

type Values = Readonly<Record<string, string | null>>;

async function ownApp(more: Readonly<Record<string, string>> = {}) {
  const { checks } = (await installation.run(['doctor', '--json'], more)).json() as {
    checks: Check[];
  };
  return checks.find(({ name }) => name === 'own app');
}

it('doctor reads the id of the app from HubSpot', async () => {
  expect(await ownApp()).toMatchObject({ code: 'app-known', verdict: 'ok', params: { app: '5100' } });
});

it('doctor fails if the setting names another app', async () => {
  expect(await ownApp({ HUBSPOT_APP_ID: OTHER_APP })).toMatchObject({
    ...{ code: 'app-is-another', verdict: 'fail' },
    params: { setting: 'HUBSPOT_APP_ID', set: '5200', app: '5100' },
  });
});

it('doctor says what is missing if HubSpot gives no answer', async () => {
  installation.silence(true);
  expect(await ownApp()).toMatchObject({
    ...{ code: 'app-unknown', verdict: 'warn' },
    params: { setting: 'HUBSPOT_APP_ID', problem: expect.stringContaining('404') },
  });
  expect(await ownApp({ HUBSPOT_APP_ID: String(APP_ID) })).toMatchObject({
    ...{ code: 'app-as-set', verdict: 'ok', params: { app: '5100' } },
  });
  installation.silence(false);
});

it('refuses an id that is none, by its name', async () => {
  const { code, json } = await installation.run(['doctor', '--json'], { HUBSPOT_APP_ID: 'my app' });
  expect({ code, json: json() }).toMatchObject({
    code: 2,
    json: { error: { code: 'not-an-id', params: { setting: 'HUBSPOT_APP_ID' } } },
  });
});

it('undo leaves a value that another app wrote', async () => {
  const { run, ask, dataService } = installation;
  const person = dataService.world.people.find(({ networkSlug, job }) => networkSlug && job.email);
  const email = person?.job.email;
  const { id } = (await ask('/_sandbox/create', { objectType: 'contacts', properties: { email } })) as {
    id: string;
  };
  const record = `contacts/${id}`;
  expect((await run(['enrich', record, '--yes'])).code).toBe(0);
  const batch = '/crm/objects/2026-09/contacts/batch';
  const titleOf = async () => {
    const asked = { inputs: [{ id }], properties: ['jobtitle'] };
    const { results } = (await ask(`${batch}/read`, asked)) as { results: { properties: Values }[] };
    return results[0]?.properties['jobtitle'] ?? '';
  };
  const title = await titleOf();
  expect(title).toBe(person?.job.title);
  // Another app empties the title, and writes the same one anew.
  await ask('/_sandbox/settings', { appId: Number(OTHER_APP) }, 'PUT');
  for (const jobtitle of ['', title])
    await ask(`${batch}/update`, { inputs: [{ id, properties: { jobtitle } }] });
  await ask('/_sandbox/settings', { appId: APP_ID }, 'PUT');
  const { out } = await run(['undo', record, '--property', 'jobtitle', '--yes', '--json']);
  expect(JSON.parse(out)).toMatchObject({ records: [{ record, restored: [] }] });
  expect(await titleOf()).toBe(title);
});
