import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seededRandom } from '#shared/kernel';
import { put, remove } from '#shared/store';
import type { SqliteStore } from '#shared/store/adapters';
import { openSqliteFile, thing } from './engines.ts';

let engine: Awaited<ReturnType<typeof openSqliteFile>>;
let store: SqliteStore;
beforeAll(async () => {
  engine = await openSqliteFile();
  store = engine.connect();
});
afterAll(() => engine.close());

/** All files of the store as one text of bytes. */
async function onDisk(): Promise<string> {
  const folder = dirname(engine.path);
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))));
  return Buffer.concat(files).toString('latin1');
}

it('commits are on the disk before they are answered', () => {
  const setting = (name: string) => Object.values(store.database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  expect([setting('journal_mode'), setting('synchronous')]).toEqual(['wal', 2]);
});

it('what was removed is in no file after a scrub, and what was kept is', async () => {
  const person = 'Quirinius Rarefield';
  const kept = 'Controla Stayhere';
  await store.transact([
    put(thing('person'), { name: person, note: person.repeat(500) }, undefined),
    put(thing('kept'), { name: kept }, undefined),
  ]);
  expect(await onDisk()).toContain(person);
  const known = (await store.getMany([thing('person')])).get(thing('person'));
  if (known) await store.transact([remove(thing('person'), known)]);
  await store.scrub();
  const bytes = await onDisk();
  expect(bytes).not.toContain(person);
  expect(bytes).toContain(kept);
});

it('no copy of what was forgotten stays where SQLite has moved items within its pages', async () => {
  store.database.exec('PRAGMA synchronous = OFF');
  const random = seededRandom(1);
  const live = new Map<string, string>();
  for (let nth = 0; nth < 4_000; nth += 1) {
    const key = `moving-${Math.floor(random() * 400)}`;
    const name = `Person${nth}Ofthetest`;
    const known = (await store.getMany([thing(key)])).get(thing(key));
    const note = name.repeat(random() < 0.2 ? 400 * random() : 40 * random());
    await store.transact([put(thing(key), { name, note }, known)]);
    live.set(key, name);
  }
  for (const [nth, key] of [...live.keys()].entries()) {
    if (nth % 2 === 0) continue;
    const known = (await store.getMany([thing(key)])).get(thing(key));
    await store.transact([put(thing(key), { name: '' }, known, true)]);
    live.delete(key);
  }
  await store.scrub();
  const found = new Set((await onDisk()).match(/Person\d+Ofthetest/g));
  expect(found).toEqual(new Set(live.values()));
});

it('removes items whose time has come, and no others', async () => {
  await store.transact([
    put(thing('soon'), { name: 'a', expiresAtMs: 1_000 }, undefined),
    put(thing('later'), { name: 'b', expiresAtMs: 1_001 }, undefined),
    put(thing('never'), { name: 'c' }, undefined),
  ]);
  await store.expire(1_000);
  const items = await store.getMany(['soon', 'later', 'never'].map((key) => thing(key)));
  expect(['soon', 'later', 'never'].map((key) => items.get(thing(key))?.value.name)).toEqual([
    undefined,
    'b',
    'c',
  ]);
});

it('waits while another process writes, and then goes on', async () => {
  const other = new DatabaseSync(engine.path);
  other.exec('BEGIN IMMEDIATE');
  const waiting = store.transact([put(thing('patient'), { name: 'x' }, undefined)]);
  expect((await store.getMany([thing('patient')])).get(thing('patient'))).toBeUndefined();
  other.exec('COMMIT');
  other.close();
  expect((await waiting).kind).toBe('done');
});
