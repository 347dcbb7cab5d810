import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from '../../../../infra/local/data-folder.ts';

let path = '';
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'folder-'));
});
afterEach(() => rm(path, { recursive: true, force: true }));

const open = (fresh = false) => openDataFolder({ path, fresh, nowMs: 1_000 });
const demo = (id: string) => ({ objectType: 'contacts' as const, id, shows: '' });

describe('the saved state', () => {
  it('is the last one that was given, however many save at once', async () => {
    const folder = await open();
    const states = Array.from({ length: 50 }, (_, index) => ({
      ...folder.saved,
      demos: [demo(`${index}`)],
      // Large enough that a write takes its time.
      hubSpot: 'x'.repeat(200_000),
    }));
    await Promise.all(states.map((state) => folder.save(state)));
    expect((await open()).saved.demos).toEqual([demo('49')]);
    expect((await readdir(path)).sort()).toEqual(['state.json']);
  });

  it('can be saved again after a save that failed, which is told', async () => {
    const folder = await open();
    await rename(path, `${path}-away`);
    await expect(folder.save(folder.saved)).rejects.toMatchObject({ code: 'ENOENT' });
    await rename(`${path}-away`, path);
    await folder.save({ ...folder.saved, demos: [demo('1')] });
    expect((await open()).saved.demos).toEqual([demo('1')]);
  });
});

describe('to begin anew', () => {
  it('gives the folder another secret and other tables, and removes what was there', async () => {
    const before = await open();
    await writeFile(before.tables, 'the tables');
    const after = await open(true);
    expect(after.saved.installationSecret).not.toBe(before.saved.installationSecret);
    expect(after.tables).not.toBe(before.tables);
    expect(await readdir(path)).toEqual(['state.json']);
  });

  it('is over with one write: cut off after it, the old tables go at the next start', async () => {
    const before = await open();
    await open(true);
    await writeFile(before.tables, 'left over');
    const { tables } = await open();
    expect(tables).not.toBe(before.tables);
    expect(await readdir(path)).toEqual(['state.json']);
  });
});
