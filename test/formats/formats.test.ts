import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT } from '../../shared/versioned-items/format.ts';
import { runCommand } from '../unit/infra/cli/console.ts';
import { type KeptData, readDataFolder, readKept, writeDataFolder } from './kept-data.ts';

const VERSIONS = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json.gz'));

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formats-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** @returns how a command is run on the data. */
async function restored(name: string, data: KeptData) {
  const path = join(folder, name);
  await writeDataFolder(join(path, 'sandbox'), data);
  return { path, run: (...words: string[]) => runCommand(words, { env: { DATA_DIR: path } }) };
}

describe('what an older version has stored is read by this one', () => {
  it('for at least one version', () => {
    expect(VERSIONS.length).toBeGreaterThan(0);
  });

  it.each(VERSIONS)(
    '%s: books, runs, explanations, undo; and it is written on',
    async (name) => {
      const data = await readKept(join(import.meta.dirname, name));
      const { path, run } = await restored(name, data);
      const posted = data.tables['ledger']?.filter(({ kind }) => kind === 'posted') ?? [];
      const credits = posted.reduce((sum, { amountCredits }) => sum + Number(amountCredits), 0);
      expect(credits).toBeGreaterThan(0);
      expect(await run('ledger', 'verify')).toMatchObject({
        code: 0,
        out: expect.stringContaining(`all hold; ${credits} credits posted`),
      });
      expect((await run('runs', 'verify', '--json')).json()).toMatchObject({ lost: 0 });
      const demos = data.state['demos'] as { objectType: string; id: string }[];
      for (const { objectType, id } of demos) {
        const explained = (await run('explain', `${objectType}/${id}`, '--json')).json();
        expect(explained).toMatchObject({ outcome: { kind: expect.any(String) } });
      }
      const [{ objectType, id } = { objectType: '', id: '' }] = demos;
      expect(await run('undo', `${objectType}/${id}`, '--yes')).toMatchObject({ code: 0, err: '' });
      expect((await run('ledger', 'grant', '--credits', '5', '--note', 'more')).code).toBe(0);
      const { tables } = await readDataFolder(join(path, 'sandbox'));
      expect(tables['records']?.some((item) => item['format'] === FORMAT)).toBe(true);
      expect((await run('runs', 'verify', '--json')).json()).toMatchObject({ lost: 0 });
    },
    60_000,
  );

  it.each([
    ['records', 'runs'],
    ['ledger', 'ledger'],
  ])(
    'what a newer version has stored in %s is refused in a sentence, and left as it is',
    async (table, command) => {
      const data = await readKept(join(import.meta.dirname, VERSIONS[0] ?? ''));
      const newer = (data.tables[table] ?? []).map((item) => ({ ...item, format: FORMAT + 1 }));
      const { run } = await restored(`newer-${table}`, {
        ...data,
        tables: { ...data.tables, [table]: newer },
      });
      const { code, err } = await run(command, 'verify');
      expect([code, err]).toEqual([1, expect.stringContaining('use the newer version again.')]);
    },
    60_000,
  );
});
