import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPrograms } from '../../harness/programs.ts';
import { freePort, startServices } from './services.ts';

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

/** With the services on ports, which do not stop when it is killed, and take their time to answer. */
async function startedWithServices() {
  const services = await startServices(programs);
  const port = await freePort();
  const real = { ...services.env, ...env, PORT: String(port) };
  await services.setHubSpot({ webhookUrl: `http://127.0.0.1:${port}/hubspot` });
  const running = npmStart([], real);
  await running.line(/^Serving/);
  await services.setDataService({ latencyMs: 20_000 });
  return { services, real, running };
}

describe('with real services, and killed', () => {
  it('has a doubt for the request that was under way, and does not send it again', async () => {
    const { services, real, running } = await startedWithServices();
    const before = await services.bill();
    const [email = ''] = await services.knownEmails();
    await services.createContact({ email });
    while ((await services.bill())['requests'] === before['requests']) await sleep(20);
    await running.kill();
    await services.setDataService({ latencyMs: 0 });
    const charged = (await services.bill())['creditsCharged'];

    const again = npmStart([], real);
    await again.line(/^ +failed, 0 /);
    expect(await services.contactProperty('enrichment_status')).toBe('failed');
    expect((await services.bill())['creditsCharged']).toBe(charged);
    const doubts = await cli(['doubts', 'list', '--json'], real);
    expect(JSON.parse(doubts.out)).toMatchObject([{ operation: 'reverseEmail', credits: 1 }]);
    expect((await again.interrupt()).code).toBe(0);
  });

  it('still has every event that it told HubSpot it had taken', async () => {
    const { services, real, running } = await startedWithServices();
    for (let index = 0; index < 12; index += 1)
      await services.createContact({ email: `nobody-${index}@unknown-firm.com` });
    while ((await services.takenEvents()) < 12) await sleep(10);
    await running.kill();
    const { queues } = JSON.parse((await cli(['queue', 'status', '--json'], real)).out);
    const [, { queue, waiting, inHand }] = queues;
    expect([queue, waiting + inHand]).toEqual(['live', 12]);
  });
});
