import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#shared/kernel/adapters';
import { alone } from '../../../../infra/local/rehearsal/rehearse-hubspot.ts';
import { createHubSpotSandbox } from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { serveSandbox } from '../../../../infra/sandbox/serve.ts';
import {
  askHubSpot,
  runCommand,
  STAND_IN_URLS,
  type StandIns,
  startStandIns,
} from '../../../harness/console.ts';

const ACCOUNT = '24170001';
let standIns: StandIns;
/** Sees each request before it is sent. */
let onRequest: ((url: string) => unknown) | undefined;

beforeEach(async () => {
  onRequest = undefined;
  standIns = await startStandIns({}, { onRequest: ({ url }) => onRequest?.(url) });
});
afterEach(() => standIns.stop());

const ENV = { HUBSPOT_ACCESS_TOKEN: 'sandbox-token', HUBSPOT_BASE_URL: STAND_IN_URLS.hubSpot };
const verb = (method: string, name: string, body?: unknown) =>
  standIns.hubSpot(method, `/_sandbox/${name}`, body);
const recordsEver = async () => ((await verb('GET', 'records')) as { records: unknown[] }).records;
const run = (words: readonly string[], { env = {}, ...more }: Parameters<StandIns['run']>[1] = {}) =>
  standIns.run(['rehearse', ...words], { env: { ...ENV, ...env }, ...more });

describe('rehearse hubspot', () => {
  it('touches nothing before a person has typed the id of the account', async () => {
    const wrong = await run(['hubspot'], { answer: '1234' });
    expect(wrong.asked).toHaveLength(1);
    for (const about of [ACCOUNT, 'DEVELOPER_TEST']) expect(wrong.err).toContain(about);
    expect(wrong.code).toBe(2);
    const nobody = await run(['hubspot', '--json']);
    expect({ code: nobody.code, json: nobody.json() }).toMatchObject({
      code: 2,
      json: { error: { code: 'not-asked' } },
    });
    expect((await run(['hubspot', '--account', '1'])).code).toBe(2);
    expect((await run(['clean', '--account', '1'])).code).toBe(2);
    expect(await recordsEver()).toEqual([]);
  });

  it('refuses an account with real records, whatever is typed', async () => {
    await verb('PUT', 'settings', { accountType: 'STANDARD' });
    const { code, json } = await run(['hubspot', '--account', ACCOUNT, '--json']);
    expect({ code, json: json() }).toMatchObject({
      code: 2,
      json: { error: { code: 'not-a-test-account' } },
    });
    expect(await recordsEver()).toEqual([]);
  });

  it('reports without ids, addresses or tokens, and removes what it made', async () => {
    await verb('PUT', 'settings', { formatPhones: true });
    const steps = ['token', 'batches', 'values', 'merge', 'webhooks'].flatMap((name) => ['--step', name]);
    const { code, out, err, json } = await run(['hubspot', '--json', ...steps], { answer: ` ${ACCOUNT}\n` });
    expect({ code, err }).toMatchObject({ code: 1 });
    expect(json()).toMatchObject({
      about: 'hubspot',
      against: expect.stringContaining('HUBSPOT_BASE_URL'),
      versions: { project: expect.any(String), api: '2026-09', node: process.version },
      counts: { differs: 1 },
      results: expect.arrayContaining([
        {
          assumption: 'phones-as-written',
          what: expect.any(String),
          verdict: 'differs',
          seen: expect.any(String),
          toChange: 'infra/sandbox/hubspot/settings.ts: formatPhones',
        },
        expect.objectContaining({
          assumption: 'webhook-order',
          verdict: 'not seen',
          code: 'no-webhook-address',
        }),
      ]),
    });
    const made = (await recordsEver()) as { id: string; archived: boolean }[];
    expect(made.length).toBeGreaterThan(5);
    expect(made.every(({ archived }) => archived)).toBe(true);
    const secrets = [ACCOUNT, '5187918', 'sandbox-token', '@', '555-0147', ...made.map(({ id }) => id)];
    for (const secret of secrets) expect(out).not.toContain(secret);
  });

  it('sees webhooks that come to its port', async () => {
    const { handle, startWebhooks } = createHubSpotSandbox({ clock: systemClock });
    const served = await serveSandbox({ handle, port: 0 });
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}/hubspot`;
    const settings = { method: 'PUT', path: '/_sandbox/settings', body: { webhookUrl: publicUrl } };
    await askHubSpot(handle, settings);
    const ended = new AbortController();
    const webhooks = startWebhooks(ended.signal);
    const env = {
      ...ENV,
      HUBSPOT_BASE_URL: served.url,
      DATA_DIR: standIns.path,
      WEBHOOK_PUBLIC_URL: publicUrl,
      PORT: String(port),
      HUBSPOT_CLIENT_SECRET: 'sandbox-client-secret',
    };
    const words = ['rehearse', 'hubspot', '--step', 'webhooks-of-merges', '--account', ACCOUNT, '--json'];
    const { code, json } = await runCommand(words, { env });
    ended.abort();
    await webhooks;
    await served.close();
    expect({ code, json: json() }).toMatchObject({
      code: 0,
      json: { results: [{ assumption: 'webhook-of-merge', verdict: 'holds' }] },
    });
  });
});

describe('a rehearsal whose journal names records', () => {
  const journal = () => readFile(join(standIns.path, 'rehearsal/hubspot.json'), 'utf8');
  const live = async () =>
    ((await recordsEver()) as { archived: boolean }[]).filter(({ archived }) => !archived).length;

  /** A rehearsal that could not remove its record. */
  async function leaveRecord(): Promise<void> {
    const fault = { path: '/batch/archive', kind: 'status', status: 500, rate: 1 };
    await verb('PUT', 'settings', { faults: [fault] });
    expect((await run(['hubspot', '--step', 'history', '--account', ACCOUNT])).code).toBe(1);
    await verb('PUT', 'settings', { faults: [] });
    expect(await live()).toBe(1);
  }

  it.each([['clean'], ['hubspot']])('is not forgotten by rehearse %s without a token', async (name) => {
    await leaveRecord();
    const before = await journal();
    const { code, json } = await run([name, '--json'], { env: { HUBSPOT_ACCESS_TOKEN: '' } });
    expect({ code, json: json() }).toMatchObject({
      code: 2,
      json: { error: { code: 'journal-of-other-account' } },
    });
    expect(await journal()).toBe(before);
  });

  it.each([['clean'], ['hubspot']])('is not forgotten by rehearse %s in another account', async (name) => {
    await leaveRecord();
    const before = await journal();
    await verb('PUT', 'settings', { portalId: 24_170_002 });
    const { code, json } = await run([name, '--account', '24170002', '--json']);
    expect({ code, json: json() }).toMatchObject({
      code: 2,
      json: { error: { code: 'journal-of-other-account' } },
    });
    expect(await journal()).toBe(before);
    expect(await live()).toBe(1);
  });
});

it.each([['hubspot'], ['clean']])(
  'two rehearsals with one data folder the second is refused: %s',
  async (name) => {
    const { code, json } = await alone(standIns.path, standIns.clock, () =>
      run([name, '--account', ACCOUNT, '--json']),
    );
    const error = { code: 'folder-in-use', params: { pid: process.pid } };
    expect({ code, json: json() }).toMatchObject({ code: 2, json: { error } });
    expect(await recordsEver()).toEqual([]);
  },
);

describe('rehearse clean', () => {
  it('removes what HubSpot refused to remove at the end of a step', async () => {
    const fault = { path: '/batch/archive', kind: 'status', status: 500, rate: 1 };
    await verb('PUT', 'settings', { faults: [fault] });
    const stopped = await run(['hubspot', '--step', 'history', '--account', ACCOUNT, '--json']);
    expect({ code: stopped.code, json: stopped.json() }).toMatchObject({
      code: 1,
      json: {
        error: {
          code: 'left-behind',
          params: { records: 1, reason: expect.stringContaining('HTTP 500') },
          message: expect.stringMatching(/rehearse hubspot --step history\b.*rehearse clean\b/),
        },
      },
    });
    await verb('PUT', 'settings', { faults: [] });
    expect((await run(['clean', '--account', ACCOUNT, '--json'])).json()).toEqual({ found: 1 });
    expect((await recordsEver()) as object[]).toEqual([expect.objectContaining({ archived: true })]);
  });

  it('removes what carries the mark and a made-up address, and nothing else', async () => {
    const create = (objectType: string, properties: object) =>
      verb('POST', 'create', { objectType, properties });
    const mark = 'crm-enrichment rehearsal';
    const domain = 'crm-enrichment-rehearsal.example.com';
    await create('contact', { email: `left@run.${domain}`, lastname: mark });
    await create('company', { domain: `left-run.${domain}`, name: mark });
    await create('contact', { email: 'theirs@mail.example', lastname: mark });
    await create('contact', { email: `theirs@run.${domain}`, lastname: 'Potter' });
    const { code, json } = await run(['clean', '--account', ACCOUNT, '--json']);
    expect({ code, json: json() }).toEqual({ code: 0, json: { found: 2 } });
    const live = ((await recordsEver()) as { archived: boolean }[]).filter(({ archived }) => !archived);
    expect(live).toHaveLength(2);
    expect((await run(['clean', '--account', ACCOUNT, '--json'])).json()).toEqual({ found: 0 });
  });
});

async function freePort(): Promise<number> {
  const probe = await serveSandbox({ handle: async () => new Response(), port: 0 });
  const { port } = new URL(probe.url);
  await probe.close();
  return Number(port);
}
