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

/** An error of the AWS SDK, whose class adds nothing that is read. */
const awsError = (traits: object) => Object.assign(new Error('said by AWS'), { $metadata: {}, ...traits });

describe('an address of AWS that does not answer is named', () => {
  it.each([
    [{ code: 'ECONNREFUSED', address: '127.0.0.1', port: 4566 }, '127.0.0.1:4566'],
    [{ code: 'EHOSTUNREACH', address: '203.0.113.7', port: 443 }, '203.0.113.7:443'],
    [{ code: 'ENOTFOUND', hostname: 'aws.nowhere.example' }, 'aws.nowhere.example'],
    [{ code: 'ETIMEDOUT', name: 'TimeoutError' }, undefined],
  ])('%j: %s', (traits, address) => {
    const failure = failureOf(awsError(traits));
    expect(failure).toMatchObject({ code: 'aws-silent', params: { address } });
    if (address !== undefined) expect(failure?.message).toContain(address);
  });

  it('and an answer that refuses is none of these', () => {
    expect(failureOf(awsError({ name: 'AccessDeniedException' }))?.code).toBe('aws-refused');
  });
});
