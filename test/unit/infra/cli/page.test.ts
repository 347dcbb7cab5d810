import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TABLE_NAMES } from '#shared/store';
import { CliError, EXIT } from '../../../../infra/cli/terminal/exit.ts';
import type { Served } from '../../../../infra/sandbox/serve.ts';
import type { AwsGate } from '../../../harness/aws-gate.ts';
import { type Ran, runCommand, startServedStandIns } from '../../../harness/console.ts';
import { hasDynamoEngine, TABLES } from '../../../harness/dynamo-engine.ts';
import { startSecretKeeper } from '../../../harness/lambda-surroundings.ts';
import {
  cloudFormationAnswer,
  type PlayedAws,
  type PlayedStack,
  playStack,
} from '../../../harness/played-stack.ts';
import { addressesIn } from '../../functions/report-spend/read-html.ts';

let played: PlayedAws;
let tables: AwsGate;
let keeper: Served;
let env: Record<string, string>;
/** As of somebody who may read the secrets, past the gate. */
let withSecrets: Record<string, string>;
let stack: PlayedStack;
/** Calls of AWS that are not of tables. */
const others = new Set<string>();

beforeAll(async () => {
  if (!hasDynamoEngine) return;
  played = await playStack(control, 'caller');
  ({ env, gate: tables } = played);
  const policy = { version: 'of the stack', timeZone: 'UTC', budgets: { perDay: 7 } };
  stack = { name: 'crm', outputs: played.outputs, policy };
  keeper = await startSecretKeeper();
  withSecrets = {
    ...env,
    AWS_ENDPOINT_URL_DYNAMODB: played.tablesUrl,
    AWS_ENDPOINT_URL_SSM: keeper.url,
  };
  await runStack('lookup', 'email', 'lee.nobody@unknown-firm.com', '--yes');
  await played.standIns.setting({ faults: [{ kind: 'reset-after', times: 1 }] });
  await runStack('lookup', 'email', 'in-doubt@unknown-firm.com', '--yes');
});
afterAll(async () => {
  await keeper?.close();
  await played?.close();
});

/** A secret that is read fails the command: there is CloudFormation only. */
async function control(asked: Request): Promise<Response> {
  const body = await asked.text();
  const target = asked.headers.get('x-amz-target') ?? new URLSearchParams(body).get('Action') ?? '';
  others.add(target);
  return target.includes('.') ? new Response(null, { status: 400 }) : cloudFormationAnswer(body, stack);
}

function runStack(...words: string[]): Promise<Ran> {
  return runCommand([...words, '--stack', 'crm'], { env: withSecrets });
}

interface Page {
  readonly url: string;
  get(path: string): Promise<{ status: number; body: string }>;
  stop(): Promise<Ran>;
}

/** As it is typed, until Ctrl-C. @throws the end of a command that serves no page */
async function openPage(words: readonly string[], surroundings: Record<string, string> = env): Promise<Page> {
  const ctrlC = new AbortController();
  const printed = Promise.withResolvers<string>();
  const io = { signal: ctrlC.signal, out: (line: string) => printed.resolve(line) };
  const ended = runCommand(['page', ...words, '--json'], { env: surroundings, io });
  const line = await Promise.race([printed.promise, ended.then(({ err }) => Promise.reject(new Error(err)))]);
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    get: async (path) => {
      const response = await fetch(new URL(path, url));
      return { status: response.status, body: await response.text() };
    },
    stop: () => {
      ctrlC.abort(new CliError('stopped', 'Stopped.', { exit: EXIT.failed }));
      return ended;
    },
  };
}

/** With headers that a browser sets, and `fetch` does not. */
async function send(url: string, headers: Record<string, string>, method = 'GET') {
  const asked = request(url, { headers, method }).end();
  const [response] = await once(asked, 'response');
  return { status: response.statusCode, body: await text(response) };
}

const PATHS = [
  '/spend',
  '/spend.json',
  '/spend.csv',
  '/spend/charges',
  '/spend/charges.json',
  '/spend/charges.csv',
  '/spend/waiting',
  '/spend/statement',
  '/spend/statement.csv',
];

describe.skipIf(!hasDynamoEngine)('page --stack', () => {
  it('serves every view and file with the figures of spend, and ends with Ctrl-C', async () => {
    const page = await openPage(['--stack', 'crm']);
    for (const path of PATHS) expect([path, (await page.get(path)).status]).toEqual([path, 200]);
    const figures = JSON.parse((await page.get('/spend.json')).body);
    const { spentMonthCredits, yields, budgets, service } = figures;
    expect({ spentMonthCredits, service }).toEqual({ spentMonthCredits: 1, service: 'real' });
    const told = (await runStack('spend', '--json')).json();
    expect(told).toMatchObject({ spentMonthCredits, yields });
    expect(budgets).toContainEqual(expect.objectContaining({ budget: 'total/day', limitCredits: 7 }));
    expect((await page.get('/')).body).toMatch(/<title>[^<]+/);
    const { code, err } = await page.stop();
    expect([code, err]).toEqual([0, 'stack crm (eu-central-1)\n']);
    await expect(fetch(page.url)).rejects.toThrow();
  });

  it('uses the permissions of its documented policy, all of them and no others', async () => {
    const page = await openPage(['--stack', 'crm']);
    for (const path of PATHS) await page.get(path);
    await page.stop();
    const used = tables.calls.map(({ action, resource }) => `${action} ${resource}`);
    const found = [...others].map((action) => `cloudformation:${action} the stack`);
    expect([...new Set([...used, ...found])].sort()).toEqual(allowed());
  });

  it.each([
    ['the Host header of another name', { host: 'rebound.example' }, 'GET', 421],
    ['the Origin of another site', { origin: 'https://elsewhere.example' }, 'GET', 403],
    ['the Origin of a sandboxed frame', { origin: 'null' }, 'GET', 403],
    [
      'a picture or script of another site',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      'GET',
      403,
    ],
    ['a link on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, 'GET', 200],
    ['a write', {}, 'POST', 405],
  ])('answers %s with its code', async (_, headers, method, code) => {
    const page = await openPage(['--stack', 'crm']);
    const before = tables.calls.length;
    const { status } = await send(page.url, headers, method);
    await page.stop();
    expect(status).toBe(code);
    if (code !== 200) expect(tables.calls).toHaveLength(before);
  });

  it('answers 503 while AWS refuses the tables, and goes on afterwards', async () => {
    const page = await openPage(['--stack', 'crm']);
    tables.cutOff('caller');
    const [view, list, file] = [
      await page.get('/spend'),
      await page.get('/spend/charges'),
      await page.get('/spend.csv'),
    ];
    tables.reconnect('caller');
    expect([view.status, list.status, file.status]).toEqual([503, 503, 503]);
    for (const { body } of [view, list, file]) expect(body).toContain('docs/operations/page-policy.json');
    expect(view.body).toMatch(/^<!doctype html>/);
    expect(list.body).toContain('href="../spend"');
    expect((await page.get('/spend')).status).toBe(200);
    expect((await page.stop()).code).toBe(0);
  });

  it('says in one sentence why it cannot serve', async () => {
    const failed = (words: string[], given = env) => runCommand(['page', ...words, '--json'], { env: given });
    const codeIn = (ran: Ran) => (ran.json() as { error: { code: string } }).error.code;
    const { url, stop } = await openPage(['--stack', 'crm']);
    const { port } = new URL(url);
    const taken = await failed(['--stack', 'crm', '--port', port]);
    await stop();
    const unknown = await failed(['--stack', 'other']);
    const odd = await failed(['--stack', 'crm', '--port', '70000']);
    tables.cutOff('caller');
    const refused = await failed(['--stack', 'crm']);
    tables.reconnect('caller');
    expect([taken.code, unknown.code, odd.code, refused.code]).toEqual([2, 4, 2, 1]);
    expect(codeIn(odd)).toBe('not-a-port');
    expect(codeIn(refused)).toBe('unreadable');
    for (const { out, err } of [taken, unknown]) expect(out + err).toMatch(new RegExp(`${port}|other`));
  });
});

describe('page without --stack', () => {
  it('serves the books of the running system, also once that has ended', async () => {
    const running = await startServedStandIns();
    const { url, stop } = await openPage([], running.env);
    await stop();
    const page = await openPage(['--port', new URL(url).port], running.env);
    expect(page.url).toBe(url);
    const { status, body } = await page.get('/spend.json');
    expect([status, JSON.parse(body)]).toEqual([200, expect.objectContaining({ service: 'stand-in' })]);
    const { hubSpotBaseUrl } = JSON.parse(readFileSync(join(running.path, 'running.json'), 'utf8'));
    const start = (await page.get('/spend')).body;
    expect(addressesIn(start)).toContain(`${hubSpotBaseUrl}/screen/home`);
    expect(start).toContain(`<code>DATA_DIR=${running.env.DATA_DIR} npm run -s cli -- enrich`);
    await running.stop();
    expect((await page.get('/spend.csv')).status).toBe(200);
    const { code, err } = await page.stop();
    expect([code, err]).toEqual([0, expect.stringContaining(running.env.DATA_DIR)]);
  });

  it('is refused where there are no books', async () => {
    const { code, err } = await runCommand(['page'], { env: { DATA_DIR: '/nowhere' } });
    expect([code, err]).toEqual([2, expect.stringContaining('/nowhere/sandbox')]);
  });
});

interface Statement {
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
}

/** Lists the actions of the documented policy, with the stand-in's names of the tables. */
function allowed(): readonly string[] {
  const file = fileURLToPath(new URL('../../../../docs/operations/page-policy.json', import.meta.url));
  const { Statement: statements }: { Statement: readonly Statement[] } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  const lines = statements.flatMap(({ Action, Resource }) =>
    Action.flatMap((action) => Resource.map((arn) => `${action} ${playedName(arn)}`)),
  );
  return lines.sort();
}

function playedName(arn: string): string {
  const [, name, index = ''] = /:table\/NAME-([\w-]+)(\/index\/[\w-]+)?$/.exec(arn) ?? [];
  if (name === undefined) return arn.endsWith(':stack/NAME/*') ? 'the stack' : arn;
  const table = TABLE_NAMES.find((each) => each === name);
  return `${table ? TABLES[table] : arn}${index}`;
}
