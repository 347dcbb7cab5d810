import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePolicy } from '#shared/field-policy';
import { systemClock as clock } from '#shared/kernel/adapters';
import { failureOf } from '../../../../infra/local/failure.ts';
import { openLocalStore, storeFileIn } from '../../../../infra/local/local-store.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'failure-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const policy = parsePolicy({ budgets: { perDay: 10 } });
function open(name: string) {
  return openLocalStore(join(folder, name), { policy, clock }).store;
}

function failureIn(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return failureOf(error, { dataFolder: '/data' });
  }
  throw new Error('It did not fail.');
}

/** An error as node:sqlite throws it, with SQLite's extended result code. */
function sqliteError(errcode: number, message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode, errstr: message });
}

describe('a store that cannot be used is told in one sentence', () => {
  it('where its file is damaged', () => {
    open('damaged').close();
    writeFileSync(storeFileIn(join(folder, 'damaged')), 'no database at all'.repeat(1_000));
    expect(failureIn(() => open('damaged'))).toMatchObject({
      code: 'store-damaged',
      params: { place: '/data' },
    });
  });

  it('where the disk is full', async () => {
    const store = open('full');
    store.database.exec('PRAGMA max_page_count = 8');
    const insert = store.database.prepare(
      "INSERT INTO items VALUES ('records', ?, '', 1, ?, NULL, NULL, NULL)",
    );
    const fill = () => {
      for (let row = 0; row < 100; row += 1) insert.run(String(row), 'x'.repeat(4_096));
    };
    expect(failureIn(fill)).toMatchObject({
      code: 'ENOSPC',
      params: { place: '/data' },
    });
    store.close();
  });

  it.each([
    [8, 'attempt to write a readonly database', 'EACCES'],
    [1_032, 'attempt to write a readonly database', 'EACCES'],
    [14, 'unable to open database file', 'EACCES'],
    [778, 'disk I/O error', 'EIO'],
    [13, 'database or disk is full', 'ENOSPC'],
    [267, 'database disk image is malformed', 'store-damaged'],
  ])('%i: %s', (errcode, message, code) => {
    const failure = failureOf(sqliteError(errcode, message), { dataFolder: '/data' });
    expect(failure).toMatchObject({ code, params: { place: '/data' }, isSetting: false });
  });

  it('and an error in our own SQL is a bug', () => {
    expect(failureOf(sqliteError(1, 'no such column: nothing'))).toBeUndefined();
  });
});

it('names a server of this machine that does not answer, and blames AWS only for its own', () => {
  const refused = (address: string) =>
    Object.assign(new Error(`connect ECONNREFUSED ${address}:4566`), {
      code: 'ECONNREFUSED',
      address,
      $metadata: {},
    });
  expect(failureOf(refused('127.0.0.1'))?.code).toBe('connection-lost');
  expect(failureOf(refused('203.0.113.7'))?.code).toBe('aws-refused');
});
