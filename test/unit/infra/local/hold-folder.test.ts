import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock as clock } from '#shared/kernel/adapters';
import { holdFolder, holdStandIns } from '../../../../infra/local/announce.ts';
import { createManualClock } from '../../../../infra/local/virtual/manual-clock.ts';

const ANNOUNCE = join(import.meta.dirname, '../../../../infra/local/announce.ts');

let path = '';
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'hold-'));
});
afterEach(() => rm(path, { recursive: true, force: true }));

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Reaches for the folder whenever it is told to, says how that went, and lives until its input ends. */
function reacher(): Child {
  const program = `
    const { holdFolder } = await import(${JSON.stringify(ANNOUNCE)});
    const clock = { monotonic: () => performance.now(), sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };
    console.log('ready');
    process.stdin.on('data', () => holdFolder(${JSON.stringify(path)}, clock).then(
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
  /** Tells all of them to reach. @returns the one that holds the folder */
  async function reach(children: readonly Child[]): Promise<Child | undefined> {
    const answers = children.map(said);
    for (const child of children) child.stdin.write('go\n');
    const told = await Promise.all(answers);
    const holder = children[told.indexOf('held')];
    const named = ['', ...children.map(({ pid }) => `${pid}`)].map((pid) => `folder-in-use ${pid}`.trim());
    const refused = told.filter((_, index) => children[index] !== holder);
    for (const answer of refused) expect(named).toContain(answer);
    expect((await readdir(path)).sort()).toEqual(['lock.db', 'running.json']);
    return holder;
  }

  it('is held by one of them until this one is killed, and then by one of the others', async () => {
    const children = Array.from({ length: 3 }, reacher);
    expect(new Set(await Promise.all(children.map(said)))).toEqual(new Set(['ready']));
    const first = await reach(children);
    await expect(holdFolder(path, clock)).rejects.toMatchObject({
      code: 'folder-in-use',
      params: { folder: path, pid: first?.pid },
    });
    const others = children.filter((child) => child !== first);
    const killed = first && once(first, 'close');
    first?.kill('SIGKILL');
    await killed;
    expect(others).toContain(await reach(others));
    const gone = others.map((child) => once(child, 'close'));
    for (const child of others) child.stdin.end();
    await Promise.all(gone);
    await (await holdFolder(path, clock)).release();
  });
});

describe('whoever holds a folder', () => {
  it('is refused while the holder has written no name yet', async () => {
    const hold = await holdFolder(path, clock);
    await rm(join(path, 'running.json'));
    const patient = createManualClock({ startMs: 0, autoAdvance: true });
    await expect(holdFolder(path, patient)).rejects.toMatchObject({
      code: 'folder-in-use',
      params: { pid: undefined },
    });
    await hold.release();
  });

  it('has waited for a command that ran the stand-ins', async () => {
    const release = await holdStandIns(path, clock);
    const waiting = vi.spyOn(clock, 'sleep').mockImplementationOnce(async () => release());
    onTestFinished(() => waiting.mockRestore());
    await (await holdFolder(path, clock)).release();
    expect(waiting).toHaveBeenCalledOnce();
  });
});
