import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdFolder } from '../../../../infra/local/announce.ts';

const ANNOUNCE = join(import.meta.dirname, '../../../../infra/local/announce.ts');
const DEAD = { pid: 2 ** 30 };

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
      ({ code, params }) => console.log([code, params.pid].join(' ')),
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
    const [held, ...refused] = (await Promise.all(answers)).sort((one) => (one === 'held' ? -1 : 1));
    expect(held).toBe('held');
    const named = ['', ...children.map(({ pid }) => `${pid}`)].map((pid) => `folder-in-use ${pid}`.trim());
    for (const answer of refused) expect(named).toContain(answer);
    expect((await readdir(path)).sort()).toEqual(['lock', 'running.json']);
    const gone = children.map((child) => once(child, 'close'));
    for (const child of children) child.stdin.end();
    await Promise.all(gone);
  });
});

describe('whoever holds a folder', () => {
  it('knows whether its last holder gave it back', async () => {
    const first = await holdFolder(path);
    expect(first.lastHolderCrashed).toBe(false);
    await first.release();
    await writeFile(join(path, 'running.json'), JSON.stringify(DEAD));
    const second = await holdFolder(path);
    expect(second.lastHolderCrashed).toBe(true);
    await second.release();
    expect((await holdFolder(path)).lastHolderCrashed).toBe(false);
  });

  it('has it until the process is killed, and not a moment longer', async () => {
    const child = reacher();
    expect(await said(child)).toBe('ready');
    const answer = said(child);
    child.stdin.write('go\n');
    expect(await answer).toBe('held');
    await expect(holdFolder(path)).rejects.toMatchObject({
      code: 'folder-in-use',
      params: { folder: path, pid: child.pid },
    });
    child.kill('SIGKILL');
    await once(child, 'close');
    expect((await holdFolder(path)).lastHolderCrashed).toBe(true);
  });

  it('is refused while the holder has written no name yet', async () => {
    const hold = await holdFolder(path);
    await rm(join(path, 'running.json'));
    await expect(holdFolder(path)).rejects.toMatchObject({
      code: 'folder-in-use',
      params: { pid: undefined },
    });
    await hold.release();
  });
});
