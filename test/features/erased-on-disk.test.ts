import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePolicy } from '#shared/field-policy';
import { DAY_MS, MINUTE_MS } from '#shared/kernel';
import { systemClock } from '#shared/kernel/adapters';
import { openLocalStore, openLog } from '../../infra/local/local-store.ts';
import { runSchedules, storeSchedules } from '../../infra/local/loops.ts';
import { announced } from '../harness/announced.ts';
import { runCommand } from '../harness/console.ts';
import type { RecordName } from '../harness/hubspot-portal.ts';
import { contact, somePerson } from '../harness/people.ts';
import { startProgram } from '../harness/programs.ts';
import { recall, sweeps } from '../harness/removals.ts';
import { settleDown } from '../harness/steps.ts';
import { createWorld, type World } from '../harness/world.ts';

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
      await world.portal.erase(record);
      await settleDown(world);
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

describe('a person leaves all files of the store and the log within a minute', () => {
  it.each(removals)('after %s, and another person stays', async (name, removeIn) => {
    const folder = join(root, name.replaceAll(' ', '-'));
    const opened = openLocalStore(folder, { policy: parsePolicy(POLICY), clock: systemClock });
    const world = await createWorld({ policy: POLICY, store: opened.store });
    const enriched = async (index: number) => {
      const record = await contact(world, index);
      await settleDown(world);
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
  });
});

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
