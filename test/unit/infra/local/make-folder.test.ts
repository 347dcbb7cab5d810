import { statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../../infra/local/data-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'make-folder-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the data folder', () => {
  it('is created with its parents, for this user only, and may exist', () => {
    const path = join(folder, 'one/two');
    makeFolder(path);
    makeFolder(path);
    expect(statSync(join(folder, 'one')).mode & 0o777).toBe(0o700);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('is closed to other users if it was open to them', async () => {
    const path = join(folder, 'open');
    await mkdir(path);
    await chmod(path, 0o755);
    makeFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('is refused where a file is', async () => {
    await writeFile(join(folder, 'file'), '');
    expect(() => makeFolder(join(folder, 'file'))).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    expect(() => makeFolder(join(folder, 'file/below'))).toThrow(
      expect.objectContaining({ code: 'ENOTDIR' }),
    );
  });
});
