import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePolicy } from '#shared/field-policy';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/kernel';
import { systemClock } from '#shared/kernel/adapters';
import { repeatForgets } from '#shared/questions';
import { statusKind } from '#shared/records';
import { openLocalStore, openLog } from '../../infra/local/local-store.ts';
import { runSchedules, storeSchedules } from '../../infra/local/loops.ts';
import { announced } from '../harness/announced.ts';
import { runCommand } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, profileUrlOf, somePerson } from '../harness/people.ts';
import { WORKER_TIMEOUT_MS } from '../harness/processes.ts';
import { startProgram } from '../harness/programs.ts';
import { forget, recall, sweeps } from '../harness/removals.ts';
import {
  askByHand,
  changeState,
  liveOn,
  settleDown,
  settled,
  settledContact,
  settledRecord,
} from '../harness/steps.ts';
import {
  createWatchedWorld,
  populated,
  questionsAbout,
  tracesOf,
  twoOfOneCompany,
} from '../harness/traces.ts';
import { createWorld, type World } from '../harness/world.ts';

describe('somebody who is forgotten', () => {
  it('is in no table, queue or log line any more, and everybody else still is', async () => {
    const { world, placesOf, one, other, contact, forget } = await populated();
    const by = { domain: one.job.company.domains[0] };
    await askByHand(world, { operation: 'companyProfile', by, options: ['contacts'] });
    const before = placesOf(tracesOf(one));
    expect(new Set(before)).toEqual(new Set(['question', 'journal']));
    expect(before.filter((name) => name === 'question').length).toBeGreaterThanOrEqual(6);
    const others = placesOf(tracesOf(other));
    const forgotten = await forget();
    expect(forgotten).toMatchObject({
      records: [expect.stringContaining('contacts#')],
      answers: 3,
      entries: 3,
    });
    expect(placesOf(tracesOf(one))).toEqual([]);
    expect(placesOf(tracesOf(other))).toEqual(others);
    expect(await world.state(contact)).toMatchObject({ forgottenAtMs: expect.any(Number), ownership: {} });
  });

  it('is never asked about again: the same contact, made anew, costs nothing and says why', async () => {
    const { world, placesOf, one, contact, forget } = await populated();
    await settled(world, world.portal.archive(contact));
    await forget();
    await world.clock.sleep(WORKER_TIMEOUT_MS);
    expect(await repeatForgets(world.services.forgetting, { graceMs: WORKER_TIMEOUT_MS })).toBe(1);
    const charged = world.charged();
    const again = await settledRecord(world, 'contacts', { email: one.job.email ?? '' });
    expect(world.charged()).toBe(charged);
    expect((await world.state(again))?.outcome).toMatchObject({
      kind: 'skipped',
      reason: { code: 'forgotten' },
      credits: 0,
    });
    expect(placesOf(tracesOf(one))).toEqual([]);
  });

  it('does not come back with the lists that are bought later', async () => {
    const { world, placesOf, one, forget } = await populated();
    await forget();
    await world.clock.sleep(2 * 24 * 3_600_000);
    for (const question of questionsAbout(one).slice(2)) {
      const result = await askByHand(world, question);
      expect(result).toMatchObject({ kind: 'found', credits: expect.any(Number) });
      expect('credits' in result && result.credits).toBeGreaterThan(0);
      for (const trace of tracesOf(one)) expect(JSON.stringify(result).toLowerCase()).not.toContain(trace);
    }
    expect(placesOf(tracesOf(one))).toEqual([]);
  });

  it('asked for it in HubSpot: the event’s bare id leads to everything, and to it again after a crash', async () => {
    const { world, placesOf, one, other, contact } = await populated();
    const others = placesOf(tracesOf(other));
    // The first worker that hears of it dies on the way.
    world.processes.planForNext({ at: 6, effect: 'none', kind: 'death' });
    await settled(world, world.portal.erase(contact));
    await world.clock.sleep(2 * WORKER_TIMEOUT_MS);
    await settleDown(world);
    expect(placesOf(tracesOf(one))).toEqual([]);
    expect(placesOf(tracesOf(other))).toEqual(others);
    expect(await world.processes.reconcile()).toMatchObject({ forgotten: expect.any(Number) });
    expect(await world.state(contact)).toMatchObject({ forgottenAtMs: expect.any(Number) });
  });

  it('is not bought in the very run beside which the forgetting came', async () => {
    const { world } = await createWatchedWorld();
    const [one] = twoOfOneCompany(world);
    const contact = await world.portal.create('contacts', { hs_linkedin_url: profileUrlOf(one) });
    await world.portal.sandbox.deliverWebhooks();
    const fault = { path: 'contacts/batch/read', kind: 'slow', delayMs: 5_000, rate: 1, times: 1 } as const;
    await world.portal.change({ faults: [fault] });
    const running = world.processes.work();
    await world.clock.sleep(2_000);
    await forget(world, contact);
    await running;
    expect(world.charged()).toBe(0);
    const again = await settledRecord(world, 'contacts', { hs_linkedin_url: profileUrlOf(one) });
    expect(await world.state(again)).toMatchObject({ outcome: { kind: 'skipped' } });
    expect(world.charged()).toBe(0);
  });

  it('is found by what was answered where the state is from before identifiers were kept', async () => {
    const { world, placesOf, one, contact } = await populated();
    await changeState(world, contact, () => ({ identifiers: undefined }));
    await settled(world, world.portal.erase(contact));
    expect(placesOf(tracesOf(one))).toEqual([]);
  });
});

/** Without a bought address no answer tells what only the contact holds. */
const quiet = () => createWorld({ policy: { questions: { wantEmail: false } } });

const FORGOTTEN = { kind: 'skipped', reason: { code: 'forgotten' } };

async function expectForgotten(world: World, email: string): Promise<void> {
  const charged = world.charged();
  const again = await settledRecord(world, 'contacts', { email });
  expect((await world.state(again))?.outcome).toMatchObject(FORGOTTEN);
  expect(world.charged()).toBe(charged);
}

describe('after a privacy deletion nobody is enriched by', () => {
  it('an additional address of the contact', async () => {
    const world = await quiet();
    const person = somePerson(world);
    const record = await world.portal.create('contacts', {
      email: 'somebody@gmail.com',
      hs_linkedin_url: profileUrlOf(person),
      hs_additional_emails: `other@gmx.de;${person.job.email}`,
    });
    await settleDown(world);
    await settled(world, world.portal.erase(record));
    await expectForgotten(world, person.job.email ?? '');
  });

  it('an address that was added after the enrichment', async () => {
    const world = await quiet();
    const person = somePerson(world);
    const record = await settledRecord(world, 'contacts', { hs_linkedin_url: profileUrlOf(person) });
    const charged = world.charged();
    await settled(world, world.portal.edit(record, { hs_additional_emails: person.job.email ?? '' }));
    expect(world.charged()).toBe(charged);
    await settled(world, world.portal.erase(record));
    await expectForgotten(world, person.job.email ?? '');
  });

  it('the address of a contact that was merged into it', async () => {
    const world = await quiet();
    const person = somePerson(world);
    const known = await settledRecord(world, 'contacts', {
      email: 'somebody@gmail.com',
      hs_linkedin_url: profileUrlOf(person),
    });
    const other = await world.portal.create('contacts', { email: person.job.email ?? '' });
    const merged = await settled(world, world.portal.merge(known, other));
    await settled(world, world.portal.erase(merged));
    await expectForgotten(world, person.job.email ?? '');
  });
});

it('a contact with the address of somebody who was forgotten among its additional ones is left alone', async () => {
  const world = await quiet();
  const [gone, other] = [somePerson(world), somePerson(world, 1)];
  const record = await settledRecord(world, 'contacts', { email: gone.job.email ?? '' });
  await settled(world, world.portal.erase(record));
  const charged = world.charged();
  const again = await settledRecord(world, 'contacts', {
    hs_linkedin_url: profileUrlOf(other),
    hs_additional_emails: ` ${gone.job.email?.toUpperCase()} `,
  });
  expect((await world.state(again))?.outcome).toMatchObject(FORGOTTEN);
  expect(world.charged()).toBe(charged);
});

/** No event of the end of a record ever arrives. */
const SILENT = { lostEvents: ['privacyDeletion', 'deletion', 'restore', 'merge'] };

/** A pass begins every week, and a second look follows after a day. */
const A_PASS = 9 * DAY_MS;

const live = (world: World, forMs = A_PASS) =>
  liveOn(world, { forMs, everyMs: (forMs < A_PASS ? 2 : 12) * HOUR_MS });

const missed = ({ logs }: World) => logs.filter(({ event }) => event === 'privacy-deletion-missed');

const suspectsIn = async (world: World) =>
  (await world.items(statusKind).read(statusKind.key('deletions')))?.value.deletions?.suspects ?? [];

const isForgotten = async (world: World, record: RecordName) =>
  (await world.state(record))?.forgottenAtMs !== undefined;

async function twoContacts() {
  const world = await createWorld({ hubSpot: SILENT });
  const [one, other] = [await contact(world, 0), await contact(world, 1)];
  await settleDown(world);
  return { world, one, other };
}

describe('a privacy deletion whose event never arrives', () => {
  it('is found within nine days, and the person is forgotten everywhere', async () => {
    const { world, placesOf, one, other, contact } = await populated(SILENT);
    const others = placesOf(tracesOf(other));
    expect(placesOf(tracesOf(one))).not.toEqual([]);
    await world.portal.erase(contact);
    await live(world);
    expect(placesOf(tracesOf(one))).toEqual([]);
    expect(placesOf(tracesOf(other))).toEqual(others);
    expect(await world.state(contact)).toMatchObject({ forgottenAtMs: expect.any(Number), ownership: {} });
    expect(missed(world).map(({ fields }) => fields)).toEqual([{ recordId: `contacts#${contact.id}` }]);
    const charged = world.charged();
    const again = await settledRecord(world, 'contacts', { hs_linkedin_url: profileUrlOf(one) });
    expect(world.charged()).toBe(charged);
    expect(await world.state(again)).toMatchObject({ outcome: { kind: 'skipped' } });
  });

  it('is forgotten at the second look, a day or more after the first', async () => {
    const { world, one } = await twoContacts();
    await world.portal.erase(one);
    for (let hours = 0; hours < 8 * 24 && !(await suspectsIn(world)).length; hours += 2)
      await live(world, 2 * HOUR_MS);
    expect(await suspectsIn(world)).toMatchObject([{ id: one.id, seenAtMs: world.clock.now() }]);
    await live(world, 22 * HOUR_MS);
    expect(await isForgotten(world, one)).toBe(false);
    await live(world, 4 * HOUR_MS);
    expect(await isForgotten(world, one)).toBe(true);
  });

  it('that arrived rings no alarm: the audit finds no contact', async () => {
    const world = await createWorld();
    const [one] = [await contact(world, 0), await contact(world, 1)];
    await settleDown(world);
    await world.portal.erase(one);
    await live(world);
    expect(await isForgotten(world, one)).toBe(true);
    expect(missed(world)).toEqual([]);
  });
});

describe('the audit of deletions forgets no contact', () => {
  it('that is archived; after HubSpot has removed it, its data is forgotten and no alarm rings', async () => {
    const { world, one } = await twoContacts();
    await world.portal.archive(one);
    await live(world, 2 * A_PASS);
    expect(await isForgotten(world, one)).toBe(false);
    await liveOn(world, { forMs: 90 * DAY_MS, everyMs: 3 * DAY_MS });
    expect(await isForgotten(world, one)).toBe(true);
    expect(missed(world)).toEqual([]);
  });

  it('that is restored between the looks', async () => {
    const { world, one } = await twoContacts();
    await world.portal.archive(one);
    // Neither answer has the contact for a while, as when HubSpot lags.
    await world.portal.change({ faults: [NOT_FOUND(one)] });
    await live(world, 12 * HOUR_MS);
    expect(await suspectsIn(world)).toMatchObject([{ id: one.id }]);
    await world.portal.change({ faults: [] });
    await world.portal.restore(one);
    await live(world);
    expect(await isForgotten(world, one)).toBe(false);
    expect(await suspectsIn(world)).toEqual([]);
  });

  it('of a person with another contact: of two duplicates only the deleted one is forgotten', async () => {
    const world = await createWorld({ hubSpot: SILENT });
    const one = await contact(world, 0);
    const twin = await settledRecord(world, 'contacts', {
      hs_linkedin_url: profileUrlOf(somePerson(world, 0)),
    });
    await world.portal.erase(one);
    await live(world);
    expect(await isForgotten(world, one)).toBe(true);
    expect(await isForgotten(world, twin)).toBe(false);
    expect(missed(world)).toHaveLength(1);
  });
});

const NOT_FOUND = ({ id }: RecordName) =>
  ({ path: 'contacts/batch/read', kind: 'status', status: 404, rate: 1, recordId: id }) as const;

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'erased-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Bytes of a text in the usual encodings. Base64 differs with the place of the text in its group of three bytes. */
function formsOf(text: string): readonly Buffer[] {
  const utf16 = Buffer.from(text, 'utf16le');
  const base64 = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const whole = bytes.length - (bytes.length % 3);
    // The first group also depends on the bytes before the text.
    return Buffer.from(
      bytes
        .subarray(0, whole)
        .toString('base64')
        .slice(before > 0 ? 4 : 0),
    );
  });
  return [Buffer.from(text), utf16, Buffer.from(utf16).swap16(), ...base64];
}

/** The texts that are in a file of the folder, in any form. */
function textsIn(folder: string, texts: readonly string[]): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
  return texts.filter((text) => {
    const forms = [text, text.toLowerCase()].flatMap(formsOf);
    return files.some((bytes) => forms.some((form) => bytes.includes(form)));
  });
}

it.each([0, 1, 2])('the search finds a text in base64 after %i other bytes', (before) => {
  const text = 'Quirinius Rarefield';
  const encoded = Buffer.from(`${'?'.repeat(before)}${text}, and more`).toString('base64');
  expect(formsOf(text).some((form) => encoded.includes(form.toString()))).toBe(true);
});

const KEPT_DAYS = 100;
const POLICY = {
  budgets: { perDay: 1_000 },
  questions: { wantEmail: true, wantPhone: true },
  privacy: { retention: { contacts: [{ name: 'leads', days: KEPT_DAYS }] } },
};

const removals: readonly (readonly [string, (world: World, record: RecordName) => Promise<unknown>])[] = [
  [
    'a deletion in HubSpot',
    async (world, record) => {
      await settled(world, world.portal.erase(record));
    },
  ],
  ['a recall', (world) => recall(world, { toMs: world.clock.now() - DAY_MS })],
  [
    'the end of a retention rule',
    async (world) => {
      await world.clock.sleep((KEPT_DAYS - 1) * DAY_MS);
      await sweeps(world);
    },
  ],
];

it.each(removals)(
  'a person leaves all files of the store and the log within a minute after %s, and another person stays',
  async (name, removeIn) => {
    const folder = join(root, name.replaceAll(' ', '-'));
    const opened = openLocalStore(folder, { policy: parsePolicy(POLICY), clock: systemClock });
    const world = await createWorld({ policy: POLICY, store: opened.store });
    const enriched = async (index: number) => {
      const record = await settledContact(world, index);
      const { firstName, lastName, mobile, job, networkSlug } = somePerson(world, index);
      const texts = [firstName, lastName, mobile, job.email, job.title, networkSlug].filter(
        (text) => text !== undefined,
      );
      expect(textsIn(folder, texts)).toEqual(texts);
      return { record, texts };
    };
    const removed = await enriched(0);
    await world.clock.sleep(2 * DAY_MS);
    const kept = await enriched(1);
    const found = () => [textsIn(folder, removed.texts), textsIn(folder, kept.texts)];
    await removeIn(world, removed.record);
    const log = openLog(folder, world.clock);
    for (const { event, fields } of world.logs) log.logger.info(event, Object(fields));
    await log.close();
    const ended = new AbortController();
    const schedules = storeSchedules(opened.store, world.clock).map((each) => ({ ...each, atOnce: false }));
    const running = runSchedules(schedules, { clock: world.clock, signal: ended.signal });
    await world.clock.sleep(MINUTE_MS);
    ended.abort();
    await running;
    expect(found()).toEqual([[], kept.texts]);
    await opened.close();
    expect(found()).toEqual([[], kept.texts]);
  },
);

interface Sample {
  readonly email: string;
  readonly network_url: string;
}

it('a person whom a command forgets is in no file of a running system, and another one is', async () => {
  const DATA_DIR = join(root, 'process');
  const system = startProgram('infra/local/main.ts', [], { DATA_DIR });
  const cli = (...words: string[]) => runCommand([...words, '--json'], { env: { DATA_DIR } });
  try {
    await system.line(/^Serving until/);
    const { dataServiceBaseUrl, hubSpotBaseUrl } = await announced(join(DATA_DIR, 'sandbox'));
    const samples = await fetch(`${dataServiceBaseUrl}/_sandbox/records?kind=person&limit=100`);
    const { records } = (await samples.json()) as { records: Sample[] };
    const [removed, kept] = records.filter(({ email, network_url }) => email && network_url).slice(40);
    if (!removed || !kept) throw new Error('The stand-in has too few people.');
    const verb = async (name: string, body: unknown): Promise<string> => {
      const headers = { 'content-type': 'application/json' };
      const request = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await fetch(`${hubSpotBaseUrl}/_sandbox/${name}`, request)).text();
    };
    const enriched = async ({ email }: Sample): Promise<string> => {
      const { id } = JSON.parse(await verb('create', { objectType: 'contacts', properties: { email } }));
      expect((await cli('enrich', `contacts/${id}`, '--yes')).json()).toHaveProperty('outcome');
      return id;
    };
    const textsOf = ({ email, network_url: url }: Sample) => [email, url.slice(url.indexOf('/in/') + 4)];
    const found = () => [textsIn(DATA_DIR, textsOf(removed)), textsIn(DATA_DIR, textsOf(kept))];
    const id = await enriched(removed);
    await enriched(kept);
    expect(found()).toEqual([textsOf(removed), textsOf(kept)]);
    // The stand-in is in the folder too, and saves itself before it answers.
    await verb('erase', { objectType: 'contacts', id });
    expect((await cli('forget', `contacts/${id}`, '--yes')).code).toBe(0);
    expect(found()).toEqual([[], textsOf(kept)]);
    await system.interrupt();
    expect(found()).toEqual([[], textsOf(kept)]);
  } finally {
    await system.kill();
  }
});
