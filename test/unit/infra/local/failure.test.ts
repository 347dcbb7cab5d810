import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../../infra/local/failure.ts';

/** An error as node:sqlite throws it, with SQLite's extended result code. */
function sqliteError(errcode: number, message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode, errstr: message });
}

describe('a store that cannot be used is told in one sentence', () => {
  it.each([
    [8, 'attempt to write a readonly database', 'EACCES'],
    [1_032, 'attempt to write a readonly database', 'EACCES'],
    [14, 'unable to open database file', 'EACCES'],
    [778, 'disk I/O error', 'EIO'],
    [13, 'database or disk is full', 'ENOSPC'],
    [267, 'database disk image is malformed', 'store-damaged'],
    [26, 'file is not a database', 'store-damaged'],
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
