import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../../infra/local/failure.ts';

/** An error as classic-level throws it. */
function levelError(words: string): Error {
  const cause = Object.assign(new Error(words), { code: 'LEVEL_IO_ERROR' });
  return Object.assign(new Error('Database failed to open', { cause }), { code: 'LEVEL_DATABASE_NOT_OPEN' });
}

describe('what LevelDB says of the disk', () => {
  it.each([
    ['IO error: /data/lock/LOCK: Permission denied', 'EACCES'],
    ['IO error: /data/lock/LOCK: Read-only file system', 'EACCES'],
    ['IO error: /data/lock/000001.log: No space left on device', 'ENOSPC'],
    ['Corruption: bad magic number', 'tables-damaged'],
  ])('%s has a code', (words, code) => {
    const failure = failureOf(levelError(words), { dataFolder: '/data' });
    expect(failure).toMatchObject({ code, params: { place: '/data' } });
  });
});

it('names a server of this machine that does not answer, and blames AWS only for its own', () => {
  const refused = (address: string) =>
    Object.assign(new Error(`connect ECONNREFUSED ${address}:4566`), {
      ...{ code: 'ECONNREFUSED', address, $metadata: {} },
    });
  expect(failureOf(refused('127.0.0.1'))?.code).toBe('connection-lost');
  expect(failureOf(refused('203.0.113.7'))?.code).toBe('aws-refused');
});
