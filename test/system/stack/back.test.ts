import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Served } from '../../../infra/sandbox/serve.ts';
import { playedAccount, serveAccount } from './control-plane.ts';
import { refused, runDeployment } from './run-deployment.ts';

const account = playedAccount();
let served: Served;
beforeAll(async () => {
  served = await serveAccount(account);
});
afterAll(() => served.close());

const NAMES = ['receive', 'enrich', 'refresh', 'reconcile', 'report', 'serve'];
const described = (release: string) => `crm-enrichment: a function, release ${release}`;

beforeEach(() => {
  account.stacks.set('crm-enrichment', 'UPDATE_COMPLETE');
  account.outputs.set(
    'crm-enrichment',
    Object.fromEntries(NAMES.map((name) => [`${name}Function`, `fn-${name}`])),
  );
  for (const name of NAMES) {
    const releases = ['0a', '1b', '2c'].map((release, at) => ({
      Version: String(at + 1),
      Description: described(release),
    }));
    const versions = [{ Version: '$LATEST', Description: described('2c') }, ...releases];
    account.functions.set(`fn-${name}`, { live: '3', versions });
  }
});

const live = () => NAMES.map((name) => account.functions.get(`fn-${name}`)?.live);
const all = (version: string) => NAMES.map(() => version);

describe('npm run back', () => {
  it('switches all functions to the release before', async () => {
    const { code, output } = await runDeployment('back', served.url, '--yes');
    expect([code, live()]).toEqual([0, all('2')]);
    for (const part of ['2c', '1b', '2026-11-20T09:00']) expect(output.split('\n')[0]).toContain(part);
    expect(output).toContain('npm run back -- -c dataServiceBaseUrl=https://api.service.test --to 2c');
  });

  it('completes a switch that stopped half-way', async () => {
    for (const name of NAMES.slice(0, 3))
      Object.assign(account.functions.get(`fn-${name}`) ?? {}, { live: '2' });
    await runDeployment('back', served.url, '--yes');
    expect(live()).toEqual(all('2'));
  });

  it('goes forward again, or to any release that all functions have', async () => {
    for (const [release, version] of [
      ['0a', '1'],
      ['2c', '3'],
    ] as const) {
      await runDeployment('back', served.url, '--yes', '--to', release);
      expect(live()).toEqual(all(version));
    }
  });

  it('asks first, and switches nothing without an answer', async () => {
    const { code, output } = await runDeployment('back', served.url);
    expect([code, live()]).toEqual([1, all('3')]);
    expect(output.endsWith(refused('switch-declined', {}))).toBe(true);
  });

  it('switches nothing where one function lacks the release, is unknown, or the stack is not there', async () => {
    const { live: at = '', versions = [] } = account.functions.get('fn-serve') ?? {};
    account.functions.set('fn-serve', {
      live: at,
      versions: versions.filter(({ Version }) => Version !== '2'),
    });
    expect((await runDeployment('back', served.url, '--yes', '--to', '1b')).output).toBe(
      refused('unknown-release', { to: '1b', releases: '0a, 2c' }),
    );
    account.functions.delete('fn-serve');
    expect(await runDeployment('back', served.url, '--yes')).toMatchObject({
      code: 1,
      output: expect.stringContaining('fn-serve'),
    });
    account.stacks.delete('crm-enrichment');
    expect((await runDeployment('back', served.url, '--yes')).output).toBe(
      refused('no-stack', { stackName: 'crm-enrichment' }),
    );
    expect(live().slice(0, 5)).toEqual(all('3').slice(0, 5));
  });
});
