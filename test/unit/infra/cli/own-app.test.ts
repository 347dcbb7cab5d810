import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Check } from '../../../../infra/doctor/check.ts';
import { STAND_IN_URLS, startStandIns } from '../../../harness/console.ts';

const APP_ID = 5_100;
const OTHER_APP = '5200';

let installation: Awaited<ReturnType<typeof install>>;
beforeAll(async () => {
  installation = await install();
});
afterAll(() => installation.stop());

/** A laptop with accounts of both services, which the stand-ins play. */
async function install() {
  const settings = { accessToken: 'sandbox-token', clientSecret: 'secret', appId: APP_ID };
  const standIns = await startStandIns({}, { hubSpotSettings: settings, hasWorkers: false });
  const env = {
    DATA_SERVICE_BASE_URL: STAND_IN_URLS.dataService,
    DATA_SERVICE_API_KEY: 'sandbox-key',
    HUBSPOT_BASE_URL: STAND_IN_URLS.hubSpot,
    HUBSPOT_ACCESS_TOKEN: settings.accessToken,
    HUBSPOT_CLIENT_SECRET: settings.clientSecret,
    CREDITS_PER_DAY: '50',
  };
  const run = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    standIns.run(words, { env: { ...env, ...more } });
  await run(['setup']);
  const ask = (path: string, body: unknown, method = 'POST') => standIns.hubSpot(method, path, body);
  const { dataService, stop } = standIns;
  return {
    run,
    dataService,
    ask,
    stop,
    /** Whether the token information fails. */
    silence: (wanted: boolean) => {
      const fault = { kind: 'status', status: 404, rate: 1, path: 'access-token-info' };
      return ask('/_sandbox/settings', { faults: wanted ? [fault] : [] }, 'PUT');
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
    code: 'app-is-another',
    verdict: 'fail',
    params: { setting: 'HUBSPOT_APP_ID', set: '5200', app: '5100' },
  });
});

it('doctor says what is missing if HubSpot gives no answer', async () => {
  await installation.silence(true);
  expect(await ownApp()).toMatchObject({
    code: 'app-unknown',
    verdict: 'warn',
    params: { setting: 'HUBSPOT_APP_ID', problem: expect.stringContaining('404') },
  });
  expect(await ownApp({ HUBSPOT_APP_ID: String(APP_ID) })).toMatchObject({
    code: 'app-as-set',
    verdict: 'ok',
    params: { app: '5100' },
  });
  await installation.silence(false);
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
