import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderUse, holdFolder } from '../../../../infra/local/announce.ts';

const ANNOUNCE = join(import.meta.dirname, '../../../../infra/local/announce.ts');
const DEAD = { pid: 2 ** 30, startedAtMs: 7 };

let path = '';
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'hold-'));
});
afterEach(() => rm(path, { recursive: true, force: true }));

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Reaches for the folder when it is told to, says how that went, and lives until its input ends. */
function reacher(): Child {
  const program = `
    const { holdFolder } = await import(${JSON.stringify(ANNOUNCE)});
    console.log('ready');
    process.stdin.once('data', () => holdFolder(${JSON.stringify(path)}).then(
      () => console.log('held'),
      (error) => console.log(error.message.includes('is in use by process') ? 'refused' : error),
    ));
    process.stdin.once('end', () => process.exit());
  `;
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function said(child: Child): Promise<string> {
  const [chunk] = await once(child.stdout, 'data');
  return String(chunk).trim();
}

describe('a folder that many processes reach for at once', () => {
  it.each([
    ['that nobody had', undefined],
    ['whose holder was killed', DEAD],
  ])('%s is held by one of them, and the others are told so', async (_, holder) => {
    if (holder) await writeFile(join(path, 'running.json'), JSON.stringify(holder));
    const children = Array.from({ length: 6 }, reacher);
    expect(new Set(await Promise.all(children.map(said)))).toEqual(new Set(['ready']));
    const answers = children.map(said);
    for (const child of children) child.stdin.write('go\n');
    const refused = Array.from({ length: 5 }, () => 'refused');
    expect((await Promise.all(answers)).sort()).toEqual(['held', ...refused]);
    expect(await readdir(path)).toEqual(['running.json']);
    const gone = children.map((child) => once(child, 'close'));
    for (const child of children) child.stdin.end();
    await Promise.all(gone);
  });
});

describe('whoever holds a folder', () => {
  it('knows whether its last holder gave it back', async () => {
    const first = await holdFolder(path);
    expect(first.leftByTheDead).toBe(false);
    await first.release();
    await writeFile(join(path, 'running.json'), JSON.stringify(DEAD));
    const second = await holdFolder(path);
    expect(second.leftByTheDead).toBe(true);
    await second.release();
    expect((await holdFolder(path)).leftByTheDead).toBe(false);
  });

  it('follows also where the one who was about to follow died on the way', async () => {
    await writeFile(join(path, 'running.json'), JSON.stringify(DEAD));
    const heir = { ...DEAD, startedAtMs: 8 };
    await writeFile(join(path, `running.json.after-${DEAD.pid}-7`), JSON.stringify(heir));
    expect((await holdFolder(path)).leftByTheDead).toBe(true);
    expect(await readdir(path)).toEqual(['running.json']);
  });

  it('gives back only what is its own', async () => {
    const hold = await holdFolder(path);
    await writeFile(join(path, 'running.json'), JSON.stringify({ pid: process.ppid, startedAtMs: 1 }));
    await hold.release();
    expect(await folderUse(path)).toEqual({ kind: 'open', pid: process.ppid });
  });
});
