import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '#inside/kernel/clock.system.ts';
import { createHubSpotSandbox } from '../../../../infra/sandbox/hubspot/hubspot-sandbox.ts';
import { serveSandbox } from '../../../../infra/sandbox/serve.ts';
import { runCommand } from '../cli/console.ts';

const IN_CHILD = new URL('../../../../infra/local/rehearsal/aws/in-child.ts', import.meta.url).href;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rehearse-aws-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const run = (words: readonly string[]) =>
  runCommand(['rehearse', 'aws', ...words], { env: { DATA_DIR: folder } });

describe('rehearse aws', () => {
  it('deploys its own stack only: --stack is refused', async () => {
    expect(await run(['--stack', 'crm-enrichment'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('a stack of its own'),
    });
  });

  it('names its steps', async () => {
    expect(await run(['--step', 'nothing'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/The steps are: deployment, main-job, .*, removal\.$/m),
    });
  });

  it('refuses a data service that is no stand-in, before it asks AWS for anything', async () => {
    const hubSpot = await serveSandbox({
      handle: createHubSpotSandbox({ clock: systemClock }).handle,
      port: 0,
    });
    const real = await serveSandbox({ handle: async () => new Response('{}', { status: 404 }), port: 0 });
    const words = ['--hubspot', hubSpot.url, '--data-service', real.url];
    const { code, err } = await run(words);
    await Promise.all([hubSpot.close(), real.close()]);
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${real.url} is no stand-in of this project`),
    });
    expect(await run(['--hubspot', 'http://127.0.0.1:1'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Give both --hubspot and --data-service'),
    });
  });

  it('does not look for a stack that its journal does not name', async () => {
    const { code, out } = await runCommand(['rehearse', 'clean'], { env: { DATA_DIR: folder } });
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('HUBSPOT_ACCESS_TOKEN') });
  });

  it('does not forget a stack that only other credentials can remove', async () => {
    const file = join(folder, 'rehearsal/aws.json');
    const journal = { format: 1, accountId: '123456789012', run: 'abc', startedAtMs: 0, steps: {} };
    await mkdir(join(folder, 'rehearsal'));
    await writeFile(file, JSON.stringify({ ...journal, region: 'eu-central-1', isThere: true }));
    const before = await readFile(file, 'utf8');
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'none'));
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'none'));
    const { code, json } = await runCommand(['rehearse', 'clean', '--json'], { env: { DATA_DIR: folder } });
    vi.unstubAllEnvs();
    const message = expect.stringMatching(/AWS_PROFILE .*AWS_REGION.*crm-rehearsal-abc remains/);
    expect({ code, json: json() }).toEqual({ code: 2, json: { error: { code: 'settings', message } } });
    expect(await readFile(file, 'utf8')).toBe(before);
  });
});

describe('a command of a rehearsal on AWS', () => {
  const start = async (script: string, env: NodeJS.ProcessEnv = {}) => {
    const file = join(folder, 'command.mjs');
    await writeFile(file, script);
    const options = `--import=${IN_CHILD}`;
    return spawn(process.execPath, [file], {
      env: { ...process.env, ...env, NODE_OPTIONS: options },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  };

  it('ends when the rehearsal is killed', async () => {
    const grandchild = `setInterval(() => {}, 1_000); process.send('ready');`;
    await writeFile(join(folder, 'grandchild.mjs'), grandchild);
    const parent = await start(`
      import { fork } from 'node:child_process';
      const child = fork(${JSON.stringify(join(folder, 'grandchild.mjs'))});
      child.once('message', () => console.log(child.pid));
      setInterval(() => {}, 1_000);
    `);
    const [line] = await once(parent.stdout, 'data');
    const pid = Number(String(line));
    expect(isRunning(pid)).toBe(true);
    // The pipe is closed when the grandchild, which writes to it too, has ended.
    const closed = once(parent.stdout, 'close');
    parent.kill('SIGKILL');
    await expect(closed).resolves.toBeDefined();
  });

  it('writes down the actions that its own key signs, without arguments', async () => {
    const server = createServer((_, answer) => answer.end('{}')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const calls = join(folder, 'calls.txt');
    const signed = (key: string, service: string) =>
      `AWS4-HMAC-SHA256 Credential=${key}/20261124/us-east-1/${service}/aws4_request, Signature=0`;
    const command = await start(
      `
      import { request } from 'node:http';
      const post = (authorization, body, target) => new Promise((resolve) => {
        const headers = { authorization, ...(target && { 'x-amz-target': target }) };
        request('${url}', { method: 'POST', headers }, (answer) => answer.resume().on('end', resolve)).end(body);
      });
      await post('${signed('OWN', 'cloudformation')}', 'Action=DescribeStacks&StackName=secret-name');
      await post('${signed('ROLE', 'cloudformation')}', 'Action=CreateStack');
      await post('${signed('OWN', 'dynamodb')}', '{}', 'DynamoDB_20120810.DescribeTable');
      await fetch('${url}/2015-03-31/functions/one/aliases/live', { headers: { authorization: '${signed('OWN', 'lambda')}' } });
      process.exit();
    `,
      { AWS_ACCESS_KEY_ID: 'OWN', REHEARSAL_CALLS: calls },
    );
    await once(command, 'close');
    server.close();
    expect(await readFile(calls, 'utf8')).toBe(
      'cloudformation:DescribeStacks\ndynamodb:DescribeTable\nlambda:GetAlias\n',
    );
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
