import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CheckCode, type CheckParams, checkOf } from '../../../infra/doctor/check.ts';
import { settingsError } from '../../../infra/local/settings-error.ts';
import { DEFAULT_SETTINGS } from '../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { createPrograms } from '../../harness/programs.ts';
import { freePort, startServices, startStranger } from './services.ts';

const programs = createPrograms();
const NOWHERE = 'https://no-such-host.invalid';

let services: Awaited<ReturnType<typeof startServices>>;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  services = await startServices(programs);
  env = { ...services.env, DATA_DIR: await mkdtemp(join(tmpdir(), 'wrong-')) };
});
afterAll(async () => {
  await programs.endAll();
  await rm(env['DATA_DIR'] ?? '', { recursive: true, force: true });
});
afterEach(() => fetch(`${services.hubSpot}/_sandbox/reset`, { method: 'POST' }));

/** Starts it with other settings; it is to end before it has done anything. */
async function refusedStart(other: Readonly<Record<string, string>>): Promise<string[]> {
  const { code, out, err } = await programs.npmStart(['--once'], { ...env, ...other }).ended;
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(await services.hubSpotRequests()).not.toContain('POST /crm/properties/{version}/{objectType}');
  for (const secret of ['sandbox-key-old', 'not-the-token']) expect(err).not.toContain(secret);
  return err.trimEnd().split('\n');
}

/** The line of a failed check. */
function line<Code extends CheckCode>(code: Code, params: CheckParams<Code>): string {
  const { seen, advice } = checkOf('', code, params);
  return `${seen}: ${advice}.`;
}

describe('npm start with real services says what is wrong, and ends, when', () => {
  it('the key is refused', async () => {
    expect(await refusedStart({ DATA_SERVICE_API_KEY: 'sandbox-key-old' })).toEqual([
      line('key-refused', { address: services.dataService, key: 'DATA_SERVICE_API_KEY' }),
    ]);
  });

  it('the setting names another app than the token belongs to', async () => {
    const app = String(DEFAULT_SETTINGS.appId);
    expect(await refusedStart({ HUBSPOT_APP_ID: '1' })).toEqual([
      line('app-is-another', { app, setting: 'HUBSPOT_APP_ID', set: '1' }),
    ]);
  });

  it('the token is refused', async () => {
    const refused = { address: services.hubSpot, status: 401, key: 'HUBSPOT_ACCESS_TOKEN' };
    expect(await refusedStart({ HUBSPOT_ACCESS_TOKEN: 'not-the-token' })).toEqual([
      line('token-refused', refused),
    ]);
  });

  it('the token lacks a scope', async () => {
    await services.setHubSpot({ scopes: ['oauth', 'crm.objects.contacts.read'] });
    const lacked = { scope: 'crm.objects.companies.read', key: 'HUBSPOT_ACCESS_TOKEN' };
    expect(await refusedStart({})).toEqual([line('scope-missing', { address: services.hubSpot, ...lacked })]);
  });

  it('both hosts cannot be reached: a closed port, a name that does not resolve', async () => {
    const closed = `http://127.0.0.1:${await freePort()}`;
    const sentences = await refusedStart({ DATA_SERVICE_BASE_URL: closed, HUBSPOT_BASE_URL: NOWHERE });
    expect(sentences).toEqual([
      line('data-service-unreachable', {
        address: closed,
        setting: 'DATA_SERVICE_BASE_URL',
        cause: 'ECONNREFUSED',
      }),
      line('hubspot-unreachable', {
        address: NOWHERE,
        setting: 'HUBSPOT_BASE_URL',
        cause: 'ENOTFOUND',
      }),
    ]);
  });

  it.each([
    ['a web page', { status: 200, type: 'text/html', body: '<h1>It works!</h1>' }, 200],
    [
      'JSON of something else',
      { status: 200, type: 'application/json', body: '{"data":{"ready":true}}' },
      undefined,
    ],
    ['a 404 page', { status: 404, type: 'text/html', body: '<h1>404 Not Found</h1>' }, 404],
    ['a 404', { status: 404, type: 'application/json', body: '{"message":"no route"}' }, 404],
  ])('another server answers with %s', async (_, answer, status) => {
    const { url, close } = await startStranger(answer);
    const sentences = await refusedStart({ DATA_SERVICE_BASE_URL: url, HUBSPOT_BASE_URL: url });
    await close();
    expect(sentences).toEqual([
      line('not-the-data-service', { address: url, setting: 'DATA_SERVICE_BASE_URL', status }),
      line('not-hubspot', { address: url, setting: 'HUBSPOT_BASE_URL', status: answer.status }),
    ]);
  });

  it('the two addresses were taken for each other', async () => {
    const { dataService, hubSpot } = services;
    const [first = '', second = ''] = await refusedStart({
      DATA_SERVICE_BASE_URL: hubSpot,
      HUBSPOT_BASE_URL: dataService,
    });
    expect(first).toContain('DATA_SERVICE_BASE_URL');
    expect(second).toContain('HUBSPOT_BASE_URL');
  });

  it('nothing is wrong: then it starts, and later refuses the token of another portal', async () => {
    expect(await programs.npmStart(['--once'], env).ended).toMatchObject({ code: 0, err: '' });
    await fetch(`${services.hubSpot}/_sandbox/reset`, { method: 'POST' });
    await services.setHubSpot({ portalId: 99_000_001 });
    const portals = { own: '24170001', by: 'pin', portal: '99000001' } as const;
    expect(await refusedStart({})).toEqual([settingsError('portal-is-another', portals).message]);
    const setUp = JSON.parse((await programs.cli(['setup', '--json'], env)).out);
    expect(setUp.error).toMatchObject({ code: 'portal-is-another', params: portals });
  });
});
