import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '#shared/kernel/adapters';
import { createDataServiceSandbox } from '../../../../infra/sandbox/data-service/data-service-sandbox.ts';
import { serveSandbox } from '../../../../infra/sandbox/serve.ts';
import { POLICY_FILE } from '../../../builders/policy-file.ts';
import { startProgram } from '../../../builders/programs.ts';
import { runCommand } from './console.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** A data service behind an address, and a machine that has never used it. */
async function openService() {
  const sandbox = createDataServiceSandbox({ clock: systemClock, settings: { rateLimitPerMinute: 1_000 } });
  const [company] = sandbox.world.companies;
  const requests: string[] = [];
  const halts = new Map<number, (signal: AbortSignal) => Promise<unknown>>();
  const served = await serveSandbox({
    handle: async (request) => {
      requests.push(`${request.method} ${request.url} ${await request.clone().text()}`);
      const halt = halts.get(requests.length);
      const answer = await sandbox.handle(request);
      await halt?.(request.signal);
      return answer;
    },
    port: 0,
  });
  const dataFolder = await mkdtemp(join(tmpdir(), 'probe-'));
  closing.push(served.close, () => rm(dataFolder, { recursive: true, force: true }));
  const env = {
    DATA_SERVICE_BASE_URL: served.url,
    DATA_SERVICE_API_KEY: 'sandbox-key',
    HUBSPOT_ACCESS_TOKEN: 'token',
    HUBSPOT_CLIENT_SECRET: 'secret',
    CREDITS_PER_DAY: '10',
    DATA_DIR: dataFolder,
    POLICY: POLICY_FILE,
  };
  const words = ['probe', '--max-credits', '4', '--domain', company?.domains[0] ?? '', '--yes', '--json'];
  return {
    requests,
    set: (settings: object) => {
      const body = JSON.stringify(settings);
      const headers = { 'content-type': 'application/json' };
      return sandbox.handle(
        new Request('http://stand-in/_sandbox/settings', { method: 'PUT', headers, body }),
      );
    },
    bill: () => sandbox.bill().creditsCharged,
    start: () => startProgram('infra/cli/main.ts', words, env),
    probe: (other: object = {}) => runCommand(words, { env: { ...env, ...other } }),
    run: (...others: string[]) => runCommand([...others, '--json'], { env }),
    /** Charges the request with this number, and holds its answer until `release`. */
    hold: (number: number) => {
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      halts.set(number, () => {
        reached.resolve();
        return released.promise;
      });
      closing.push(async () => released.resolve());
      return { reached: reached.promise, release: released.resolve };
    },
  };
}

type Report = {
  results: { assumption: string; verdict: string }[];
  doubts: { step: string; credits: number }[];
};

const booked = (lifetime: Record<'posted' | 'pending' | 'doubtful', number>) =>
  lifetime.posted + lifetime.pending + lifetime.doubtful;

it.each([
  { number: 1, step: 'miss', hidden: ['miss-price', 'miss-words'] },
  { number: 3, step: 'domain', hidden: ['domain-match', 'search-page-size'] },
])('a probe killed at its question $number asks it no second time, and tells the doubt', async (killed) => {
  const service = await openService();
  const { reached } = service.hold(killed.number);
  const probing = service.start();
  await reached;
  await probing.kill();

  const { code, err, json } = await service.probe();
  expect(code).toBe(3);
  expect(err).toMatch(/ 1 credit.*doubts resolve [0-9a-f]{64} --charged\|--not-charged/);
  const { results, doubts } = json() as unknown as Report;
  expect(doubts).toEqual([{ step: killed.step, credits: 1 }]);
  const notSeen = results.filter(({ verdict }) => verdict === 'not seen');
  expect(notSeen.map(({ assumption }) => assumption)).toEqual(expect.arrayContaining(killed.hidden));
  expect(service.requests).toEqual([...new Set(service.requests)]);
  const { lifetime } = (await service.run('ledger', 'verify')).json() as { lifetime: never };
  expect(booked(lifetime)).toBeGreaterThanOrEqual(service.bill());

  // A third probe repeats nothing. After the doubt is resolved, a probe asks this question only.
  const before = service.requests.length;
  expect((await service.probe()).code).toBe(3);
  expect(service.requests).toHaveLength(before);
  await service.run('doubts', 'resolve', '--all', '--charged', '--note', 'in the usage list', '--yes');
  expect((await service.probe()).code).toBe(0);
  expect(new Set(service.requests).size).toBe(4);
  expect(service.requests).toHaveLength(5);
});

it.each(['SIGTERM', 'SIGHUP'] as const)('a probe that %s stops books the sent question', async (signal) => {
  const service = await openService();
  const { reached, release } = service.hold(1);
  const probing = service.start();
  await reached;
  const ended = probing.interrupt(signal);
  await probing.line(/Ctrl-C/);
  release();
  const { code, out } = await ended;
  const { error } = JSON.parse(out) as { error: { code: string; message: string } };
  expect({ code, error }).toMatchObject({
    code: 1,
    error: { code: 'stopped', params: { bookedCredits: 1, doubtfulCredits: 0 } },
  });
  expect(error.message).toContain('probe --max-credits 4 --domain ');
  expect(service.bill()).toBe(1);
  expect(service.requests).toHaveLength(1);
  const { lifetime } = (await service.run('ledger', 'verify')).json() as { lifetime: { posted: number } };
  expect(lifetime.posted).toBe(1);

  // The next probe pays for the remaining questions only.
  expect((await service.probe()).json()).toMatchObject({ credits: service.bill() - 1, doubts: [] });
  expect(service.requests).toEqual([...new Set(service.requests)]);
});

it('an address that does not answer costs nothing, and the message names the setting', async () => {
  const service = await openService();
  const { code, err, json } = await service.probe({ DATA_SERVICE_BASE_URL: 'http://127.0.0.1:9' });
  expect(code).toBe(3);
  expect(json()).toMatchObject({ error: { code: 'service-unreachable' } });
  expect(err).toContain('DATA_SERVICE_BASE_URL');
  expect(service.requests).toEqual([]);
});

it('a failed answer ends the probe with a doubt, and shows no headers', async () => {
  const service = await openService();
  await service.set({ faults: [{ kind: 'status', status: 500, afterWork: true, times: 1 }] });
  const { code, json } = await service.probe();
  expect(code).toBe(3);
  expect(json()).toMatchObject({ counts: { holds: 0, differs: 0 }, doubts: [{ step: 'miss', credits: 1 }] });
  expect(service.requests).toHaveLength(1);
});

it('reads the text of a miss and the absence of headers from an answer without a date', async () => {
  const service = await openService();
  await service.set({ faults: [{ kind: 'headers-missing' }] });
  const { results } = (await service.probe()).json() as unknown as Report;
  const differing = results.filter(({ verdict }) => verdict === 'differs');
  expect(differing.map(({ assumption }) => assumption)).toEqual(['service-rate-headers']);
});
