import { describe, expect, it } from 'vitest';
import { errorText } from '../../../../infra/local/failure.ts';

/** An error as classic-level throws it. */
function levelError(words: string): Error {
  const cause = Object.assign(new Error(words), { code: 'LEVEL_IO_ERROR' });
  return Object.assign(new Error('Database failed to open', { cause }), { code: 'LEVEL_DATABASE_NOT_OPEN' });
}

describe('what LevelDB says of the disk', () => {
  it.each([
    ['IO error: /data/lock/LOCK: Permission denied', 'because this user may not write there: set DATA_DIR'],
    [
      'IO error: /data/lock/LOCK: Read-only file system',
      'because this user may not write there: set DATA_DIR',
    ],
    ['IO error: /data/lock/000001.log: No space left on device', 'because the disk is full: make room'],
    ['Corruption: bad magic number', 'because the disk is full or they are damaged: make room'],
  ])('%s is told in one sentence', (words, sentence) => {
    const text = errorText(levelError(words), { dataFolder: '/data', verbose: false });
    expect(text).toContain(sentence);
    expect(text).toContain('/data');
  });
});

it('names a server of this machine that does not answer, and blames AWS only for its own', () => {
  const refused = (address: string) =>
    Object.assign(new Error(`connect ECONNREFUSED ${address}:4566`), {
      ...{ code: 'ECONNREFUSED', address, $metadata: {} },
    });
  expect(errorText(refused('127.0.0.1'))).toContain('The running system ended during this command');
  expect(errorText(refused('203.0.113.7'))).toContain('AWS refused the request');
});
