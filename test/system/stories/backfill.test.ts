import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPrograms } from '../../harness/programs.ts';
import { freePort, startServices } from './services.ts';

const programs = createPrograms();
const { npmStart, cli, endAll } = programs;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backfill-'));
});
afterEach(async () => {
  await endAll();
  await rm(folder, { recursive: true, force: true });
});

const PEOPLE = 8;

describe('a backfill on a laptop', () => {
  it('goes on where it was, however often it is killed, and is taken back whole', async () => {
    const services = await startServices(programs);
    const emails = (await services.known(200)).emails.slice(0, PEOPLE);
    for (const email of emails) await services.createContact({ email });
    const env = { ...services.env, DATA_DIR: folder, PORT: String(await freePort()) };
    const command = async (...argv: string[]) => {
      const { code, out, err } = await cli([...argv, '--json'], env);
      expect({ code, err }).toEqual({ code: 0, err: expect.anything() });
      return JSON.parse(out);
    };
    await command('setup');
    const { id, quote } = await command('backfill', 'quote', '--objects', 'contacts');
    expect(quote).toMatchObject({ atMost: PEOPLE });
    await command('backfill', 'run', id, '--yes');
    for (const ms of [300, 2_000, 5_000, 9_000]) {
      const killed = npmStart([], env);
      await killed.line(/^Serving/);
      await sleep(ms);
      await killed.kill();
    }
    const running = npmStart([], env);
    await running.line(/^Serving/);
    const isDone = async () => (await command('backfill', 'status', id)).state === 'done';
    for (let looks = 0; looks < 100 && !(await isDone()); looks += 1) await sleep(2_000);
    await running.interrupt();
    expect(await command('backfill', 'status', id)).toMatchObject({ state: 'done', spent: PEOPLE });
    expect(await services.bill()).toMatchObject({ creditsCharged: PEOPLE });
    const { records } = await command('undo', '--backfill', id, '--yes');
    expect(records).toHaveLength(PEOPLE);
    expect(records[0].restored.length).toBeGreaterThan(3);
    expect(await cli(['ledger', 'verify'], env)).toMatchObject({ code: 0 });
  });
});
