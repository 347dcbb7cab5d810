import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPrograms } from '../../harness/programs.ts';

const programs = createPrograms();
const { npmStart, cli, endAll } = programs;

let env: { readonly DATA_DIR: string };
beforeEach(async () => {
  env = { DATA_DIR: await mkdtemp(join(tmpdir(), 'killed-')) };
});
afterEach(async () => {
  await endAll();
  await rm(env.DATA_DIR, { recursive: true, force: true });
});

/** Starts it, and cuts it off a while after it has said something. */
async function killedAfter(line: RegExp, { args = [], ms = 0 }: { args?: string[]; ms?: number } = {}) {
  const killed = npmStart(args, env);
  await killed.line(line);
  await sleep(ms);
  await killed.kill();
}

const READY = /^ {2}Data /;
const CREATED = /^A person creates/;
const AN_OUTCOME = /^ {8}enriched/;

describe('npm start that was killed', () => {
  it.each([
    ['while it was asking', CREATED, 350],
    ['after its first outcome', AN_OUTCOME, 0],
  ])('%s finishes the work when it is started again', async (_, line, ms) => {
    await killedAfter(line, { args: ['--fresh'], ms });
    // The code is 0 only if each record has an outcome and the books agree.
    expect(await npmStart(['--once'], env).ended).toMatchObject({ code: 0, err: '' });
  });

  it('again and again loses nothing, and spends no credit twice', async () => {
    await killedAfter(CREATED, { args: ['--fresh'], ms: 200 });
    await killedAfter(READY);
    await killedAfter(READY, { ms: 300 });
    expect((await npmStart(['--once'], env).ended).code).toBe(0);
    for (const books of [
      ['runs', 'verify'],
      ['ledger', 'verify'],
    ])
      expect((await cli(books, env)).code).toBe(0);
  });
});
