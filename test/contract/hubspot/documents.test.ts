import { describe, expect, it } from 'vitest';
import { OBJECT_TYPES } from '#shared/crm';
import type { HttpRequest, Send } from '#shared/http';
import { createHubSpotClient } from '#shared/hubspot/adapters';
import { HOUR_MS, seededRandom } from '#shared/kernel';
import type { Connection } from '../../../infra/cli/connection/connection.ts';
import { hubSpotChecks } from '../../../infra/doctor/account-checks.ts';
import { ensureEnrichmentProperties } from '../../../infra/local/prepare-properties.ts';
import { createStandInSend } from '../../../infra/local/virtual/stand-in-send.ts';
import { createHubSpotSandbox } from '../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { HUBSPOT_URL } from '../../harness/addresses.ts';
import { APP_ID, TOKEN } from '../../harness/hubspot-portal.ts';
import { createManualClock } from '../../harness/manual-clock.ts';
import { contact, contactByEmail, someCompany } from '../../harness/people.ts';
import { settleDown } from '../../harness/steps.ts';
import { createWorld } from '../../harness/world.ts';
import { type CheckedSend, checkedSend } from './violations.ts';

const HOST = new URL(HUBSPOT_URL).host;

/** A world whose every request to HubSpot is held against the documents. */
async function checkedWorld() {
  let checked: CheckedSend | undefined;
  const through = (send: Send) => {
    checked = checkedSend(send, HOST);
    return checked.send;
  };
  const world = await createWorld({ through, policy: { associate: 'create' } });
  if (!checked) throw new Error('Nothing stands between the world and HubSpot.');
  return { world, checked };
}

type World = Awaited<ReturnType<typeof checkedWorld>>['world'];

/** Every kind of record and of end, one that the account's admin refuses among them. */
async function liveThrough(world: World): Promise<void> {
  const byUrl = await contact(world);
  const [company, refused] = [3, 40].map((index) => someCompany(world, index).domains[0]);
  await contactByEmail(world, 1);
  await world.portal.create('contacts', { email: 'nobody.there@unknown-firm.com' });
  await world.portal.create('companies', { domain: company ?? '' });
  await settleDown(world);
  const when = { property: 'domain', values: [refused ?? ''] };
  await world.portal.change({ writeRules: [{ objectType: 'company', requires: 'hs_lead_status', when }] });
  const waiting = await world.portal.create('companies', { domain: refused ?? '' });
  await settleDown(world);
  expect((await world.state(waiting))?.waiting?.reason).toBe('HUBSPOT_REFUSES');
  await world.clock.sleep(HOUR_MS);
  await world.processes.reconcile();
  const { history } = world.services.crm;
  const records = [{ id: byUrl.id, properties: ['jobtitle'] }];
  expect((await history({ objectType: 'contacts', records })).size).toBe(1);
}

/** The set-up of a portal that has nothing of ours, and of one whose admin took a choice away. */
async function setUp(): Promise<CheckedSend> {
  const clock = createManualClock({ startMs: Date.UTC(2026, 10, 21, 12), autoAdvance: true });
  const random = seededRandom(1);
  const sandbox = createHubSpotSandbox({ clock, random });
  const checked = checkedSend(createStandInSend({ clock, hosts: { [HOST]: sandbox.handle } }), HOST);
  const access = { baseUrl: HUBSPOT_URL, accessToken: TOKEN };
  const client = createHubSpotClient({ ...access, send: checked.send, clock, random });
  const path = `${HUBSPOT_URL}/crm/properties/2026-09/contacts/enrichment_status`;
  const options = [{ label: 'Theirs', value: 'theirs', displayOrder: 0, hidden: false }];
  const init = { method: 'PATCH', headers: { authorization: `Bearer ${TOKEN}` } };
  for (const objectType of OBJECT_TYPES) await ensureEnrichmentProperties(client, { objectType });
  await sandbox.handle(new Request(path, { ...init, body: JSON.stringify({ options }) }));
  const { optionsAdded } = await ensureEnrichmentProperties(client, { objectType: 'contacts' });
  expect(optionsAdded).toEqual(['enrichment_status']);
  return checked;
}

/** What the doctor asks, with the parts of a connection that it uses. */
async function examine(world: World): Promise<void> {
  const { services, policy, wire } = world;
  const hubSpot = { baseUrl: HUBSPOT_URL, accessToken: TOKEN };
  const dataService = { baseUrl: 'https://data.example' };
  const ownApp = async () => ({ setting: String(APP_ID) });
  const connection = { services, policy, hubSpot, dataService, ownApp, isStack: false, send: wire.send };
  const checks = await hubSpotChecks(connection as unknown as Connection);
  expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
}

describe('every request to HubSpot and its answer are as the documents say', () => {
  it('in a whole run: contacts, companies, a refusal, the sweep, history and the doctor', async () => {
    const { world, checked } = await checkedWorld();
    await liveThrough(world);
    await examine(world);
    expect(checked.violations).toEqual([]);
    const all = ['batch read', 'batch update', 'search', 'list properties', 'read group', 'account details'];
    const made = ['read associations', 'batch create', 'associate'];
    expect([...checked.met]).toEqual(expect.arrayContaining([...all, ...made, 'daily usage', 'value rules']));
  });

  it('in the set-up of a portal', async () => {
    const { met, violations } = await setUp();
    expect(violations).toEqual([]);
    const all = ['list properties', 'read group', 'create group', 'create property', 'change options'];
    expect([...met].toSorted()).toEqual(all.toSorted());
  });
});

describe('the documents are taken at their word', () => {
  const path = '/crm/objects/2026-09/contacts/batch/update';
  const input = { id: '1', properties: { city: 'Ulm' }, objectWriteTraceId: '1' };
  const answer = { status: 'COMPLETE', results: [], startedAt: '2026-11-21T12:00:00Z' };
  const done = { ...answer, completedAt: '2026-11-21T12:00:00Z' };

  async function faultsOf({ url = path, sent, said = done }: { url?: string; sent: unknown; said?: object }) {
    const response = { status: 200, headers: {}, body: JSON.stringify(said), receivedAtMs: 0 };
    const { send, violations } = checkedSend(async () => response, HOST);
    const body = JSON.stringify(sent);
    const request: HttpRequest = {
      method: 'POST',
      url: `${HUBSPOT_URL}${url}`,
      headers: {},
      body,
      timeoutMs: 1,
    };
    await send(request);
    return violations;
  }

  it('and a request that is as it should be has no fault', async () => {
    expect(await faultsOf({ sent: { inputs: [input] } })).toEqual([]);
  });

  it.each([
    [
      'a path of another version',
      { url: '/crm/v3/objects/contacts/batch/update', sent: {} },
      /in no document/,
    ],
    ['an unknown key', { sent: { inputs: [{ ...input, extra: 1 }] } }, /request's inputs.0/],
    ['a number for an id', { sent: { inputs: [{ ...input, id: 1 }] } }, /request's inputs.0.id/],
    [
      'one record twice',
      { sent: { inputs: [input, { ...input, objectWriteTraceId: '2' }] } },
      /request's inputs/,
    ],
    ['an answer without its times', { sent: { inputs: [input] }, said: answer }, /200's completedAt/],
  ])('so that %s is a fault', async (_, wrong, fault) => {
    expect((await faultsOf(wrong)).join()).toMatch(fault);
  });
});
