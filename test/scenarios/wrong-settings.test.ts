import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createPrograms } from '../builders/programs.ts';
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

describe('npm start with real services says what is wrong, and ends, when', () => {
  it('the key is refused', async () => {
    expect(await refusedStart({ DATA_SERVICE_API_KEY: 'sandbox-key-old' })).toEqual([
      `${services.dataService} refuses the key: set DATA_SERVICE_API_KEY to an active key.`,
    ]);
  });

  it('the setting names another app than the token belongs to', async () => {
    const [sentence = '', ...more] = await refusedStart({ HUBSPOT_APP_ID: '1' });
    expect(more).toEqual([]);
    expect(sentence).toMatch(
      /^HUBSPOT_APP_ID is 1, but the access token belongs to app (\d+): set HUBSPOT_APP_ID to \1\.$/,
    );
  });

  it('the token is refused', async () => {
    const [sentence = '', ...more] = await refusedStart({ HUBSPOT_ACCESS_TOKEN: 'not-the-token' });
    expect(more).toEqual([]);
    expect(sentence).toContain(
      `${services.hubSpot} refuses the token with status 401: set HUBSPOT_ACCESS_TOKEN`,
    );
  });

  it('the token lacks a scope', async () => {
    await services.setHubSpot({ scopes: ['oauth', 'crm.objects.contacts.read'] });
    const [sentence = '', ...more] = await refusedStart({});
    expect(more).toEqual([]);
    for (const part of [services.hubSpot, 'crm.objects.companies.read', 'HUBSPOT_ACCESS_TOKEN'])
      expect(sentence).toContain(part);
  });

  it('both hosts cannot be reached: a closed port, a name that does not resolve', async () => {
    const closed = `http://127.0.0.1:${await freePort()}`;
    const sentences = await refusedStart({ DATA_SERVICE_BASE_URL: closed, HUBSPOT_BASE_URL: NOWHERE });
    expect(sentences).toEqual([
      `${closed} cannot be reached, because nothing listens there: set DATA_SERVICE_BASE_URL to the address of the data service.`,
      `${NOWHERE} cannot be reached, because its name does not resolve: see the network, and HUBSPOT_BASE_URL.`,
    ]);
  });

  it.each([
    ['a web page', { status: 200, type: 'text/html', body: '<h1>It works!</h1>' }],
    ['JSON of something else', { status: 200, type: 'application/json', body: '{"data":{"ready":true}}' }],
    ['a 404 page', { status: 404, type: 'text/html', body: '<h1>404 Not Found</h1>' }],
    ['a 404', { status: 404, type: 'application/json', body: '{"message":"no route"}' }],
  ])('another server answers with %s', async (_, answer) => {
    const { url, close } = await startStranger(answer);
    const sentences = await refusedStart({ DATA_SERVICE_BASE_URL: url, HUBSPOT_BASE_URL: url });
    await close();
    expect(sentences).toEqual([
      expect.stringContaining('but not as the data service does: set DATA_SERVICE_BASE_URL'),
      expect.stringContaining('but not as HubSpot does: set HUBSPOT_BASE_URL'),
    ]);
    for (const sentence of sentences) expect(sentence).toContain(url);
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

  it('nothing is wrong: then it starts', async () => {
    expect(await programs.npmStart(['--once'], env).ended).toMatchObject({ code: 0, err: '' });
  });
});
