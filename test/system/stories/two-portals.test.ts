import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Check } from '../../../infra/local/doctor/check.ts';
import { settingsError } from '../../../infra/local/settings-error.ts';
import { openStage, type Stage } from './stage.ts';

const OWN = 24_170_001;
const OTHER = 99_000_001;

let stage: Stage;
let system: ReturnType<Stage['start']>;
/** Of people whom the data service knows. */
let emails: readonly string[];

beforeAll(async () => {
  stage = await openStage();
  system = stage.start();
  await system.line(/^Serving until/);
  emails = (await stage.people()).flatMap(({ email }) => (typeof email === 'string' ? [email] : []));
});
afterAll(() => stage.close());

type Values = Readonly<Record<string, string>>;

async function contact(properties: Values): Promise<string> {
  return String((await stage.atHubSpot('POST', 'create', { objectType: 'contacts', properties }))['id']);
}

const person = (verb: 'edit' | 'erase' | 'archive', id: string, properties: Values = {}) =>
  stage.atHubSpot('POST', verb, { objectType: 'contacts', id, properties });

async function propertiesOf(id: string): Promise<Values> {
  const { records } = await stage.atHubSpot('GET', 'records?kind=contacts');
  return (records as { id: string; properties: Values }[]).find((one) => one.id === id)?.properties ?? {};
}

/** Until HubSpot shows how the contact's run ended. */
async function ended(id: string, status: string): Promise<void> {
  await expect.poll(() => propertiesOf(id), PATIENCE).toMatchObject({ enrichment_status: status });
}

const PATIENCE = { timeout: 100_000, interval: 200 };

/** What would be gone, or elsewhere, had the contact been forgotten or merged away. */
async function kept(id: string) {
  const { record, forgottenAt, mergedFrom, runs, now } = await stage.explain(id);
  const { changes, question } = (runs as { changes: unknown; question: unknown }[])[0] ?? {};
  return { record, forgottenAt, mergedFrom, changes, question, now };
}

let eventId = 0;
function event(subscriptionType: string, objectId: string, more: object = {}) {
  return {
    eventId: ++eventId,
    subscriptionId: 1,
    portalId: OTHER,
    appId: 5_187_918,
    occurredAt: Date.now(),
    subscriptionType,
    attemptNumber: 0,
    objectId: Number(objectId),
    ...(subscriptionType.startsWith('object.') && { objectTypeId: '0-1' }),
    changeSource: 'CRM_UI',
    sourceId: 'userId:7',
    ...more,
  };
}

const merge = (loser: string) =>
  event('object.merge', '4242', {
    ...{ primaryObjectId: Number(loser), mergedObjectIds: [Number(loser)], newObjectId: 4_242 },
  });
const change = (id: string, more: object = {}) =>
  event('object.propertyChange', id, { propertyName: 'phone', propertyValue: '', ...more });

it('what another portal tells of equal ids changes nothing, and our own deletions do', async () => {
  const [first = '', second = '', third = ''] = emails;
  const [one, two] = [await contact({ email: first }), await contact({ email: second })];
  const [plain, bare] = [await contact({ jobtitle: 'Potter' }), await contact({ jobtitle: 'Weaver' })];
  for (const id of [one, two]) await ended(id, 'enriched');
  for (const id of [plain, bare]) await ended(id, 'skipped');
  await stage.workedOff();
  const enriched = await Promise.all([one, two].map(kept));
  const skipped = await Promise.all([plain, bare].map(stage.explain));
  expect(enriched).toMatchObject([{ now: { jobtitle: 'ours' } }, { now: { jobtitle: 'ours' } }]);

  const deliveries = [
    [event('contact.privacyDeletion', one)],
    [merge(two)],
    // Beside events of ours about the same records.
    [
      change(one, { portalId: OWN }),
      change(two, { portalId: OWN }),
      merge(one),
      event('contact.privacyDeletion', two),
    ],
    ['deletion', 'creation', 'restore', 'associationChange'].map((kind) => event(`object.${kind}`, plain)),
    [event('contact.privacyDeletion', bare), change(bare), change(plain)],
  ];
  for (const events of deliveries) expect(await stage.deliver(events)).toBe(200);
  await stage.workedOff();
  expect(await Promise.all([one, two].map(kept))).toEqual(enriched);
  expect(await Promise.all([plain, bare].map(stage.explain))).toEqual(skipped);

  await person('edit', bare, { email: third });
  await ended(bare, 'enriched');

  await person('erase', one);
  await person('archive', plain);
  const slowly = { ...PATIENCE, interval: 500 };
  await expect.poll(() => stage.explain(one), slowly).toMatchObject({ forgottenAt: expect.any(String) });
  const gone = { outcome: { reason: 'No longer in HubSpot.' } };
  await expect.poll(() => stage.explain(plain), slowly).toMatchObject(gone);
});

it('a token of another portal is refused with one sentence, and written with only when a setting says so', async () => {
  const known = await contact({ email: emails[3] ?? '' });
  await ended(known, 'enriched');
  await system.interrupt();
  await stage.atHubSpot('PUT', 'settings', { portalId: OTHER });
  const requests = () => stage.atHubSpot('GET', 'requests');
  const before = await requests();

  const refused = await stage.start().ended;
  const params = { own: String(OWN), by: 'pin', portal: String(OTHER) } as const;
  expect(refused).toMatchObject({ code: 1, err: `${settingsError('portal-is-another', params).message}\n` });
  const { checks } = JSON.parse((await stage.run('doctor', '--json')).out) as { checks: Check[] };
  const check = checks.find(({ name }) => name === 'portal');
  expect(check).toMatchObject({ code: 'portal-is-another', params, verdict: 'fail' });
  const { error } = JSON.parse((await stage.run('setup', '--json')).out);
  expect(error).toMatchObject({ code: 'portal-is-another', params });
  const { recordWrites, propertyWrites } = before;
  expect(await requests()).toMatchObject({ recordWrites, propertyWrites });

  const meant = { HUBSPOT_PORTAL_ID: String(OTHER) };
  system = stage.start(meant);
  await system.line(/^Serving until/);
  expect(await stage.deliver([event('contact.privacyDeletion', known, { portalId: OWN })])).toBe(200);
  const fresh = await contact({ firstname: 'Lee' });
  await ended(fresh, 'skipped');
  await stage.workedOff();
  expect(await stage.explain(known)).not.toHaveProperty('forgottenAt');
});
