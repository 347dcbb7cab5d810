import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#shared/kernel/adapters';
import { run } from '../../../../infra/cli/run.ts';
import type { CliIo } from '../../../../infra/cli/terminal/cli-io.ts';
import { holdFolder } from '../../../../infra/local/announce.ts';
import { openDataFolder } from '../../../../infra/local/data-folder.ts';
import { startEmbeddedAws } from '../../../../infra/local/embedded-aws.ts';
import { standInVendors } from '../../../../infra/local/vendors.ts';
import { POLICY_FILE } from '../../../builders/policy-file.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What was asked at the terminal. */
  readonly asked: readonly string[];
  /** The one JSON document on standard output. */
  json(): Record<string, unknown>;
}

/** One command, with what a terminal would answer; without an answer there is no terminal. */
export async function runCommand(
  argv: readonly string[],
  { env, answer, io = {} }: { env: CliIo['env']; answer?: string; io?: Partial<CliIo> },
): Promise<Ran> {
  const [out, err, asked]: [string[], string[], string[]] = [[], [], []];
  const ask = async (question: string) => {
    asked.push(question);
    return answer ?? '';
  };
  const code = await run(argv, {
    env: { POLICY: POLICY_FILE, ...env },
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    terminal: answer === undefined ? undefined : { ask },
    colours: false,
    ...io,
  });
  const text = out.join('');
  return {
    code,
    out: text,
    err: err.join(''),
    asked,
    json: () => JSON.parse(text) as Record<string, unknown>,
  };
}

/** What `npm start` is to the commands: embedded tables and stand-ins that are announced in a data folder. */
export async function startStandIns(
  dataService: Readonly<Record<string, unknown>> = {},
  url = 'http://127.0.0.1:9',
) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'cli-'));
  const path = join(dataFolder, 'sandbox');
  const folder = await openDataFolder({ path, fresh: false, nowMs: systemClock.now() });
  const hold = await holdFolder(path);
  const aws = await startEmbeddedAws({});
  const vendors = await standInVendors(folder.saved, {
    webhookUrl: 'http://127.0.0.1:9/hubspot',
    policy: { whom: {} },
    keep: async () => undefined,
  });
  await hold.announce({ aws, vendors, url, policyFile: POLICY_FILE });
  const { sandbox } = vendors;
  if (!sandbox) throw new Error('The stand-ins play both services.');
  const verb = async (method: string, name: string, body?: unknown) => {
    const request = new Request(`http://stand-in/_sandbox/${name}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    return (await (await sandbox.dataService.handle(request)).json()) as Record<string, unknown>;
  };
  await verb('PUT', 'settings', { latencyMs: 0, rateLimitPerMinute: 1_000, ...dataService });
  const env = { DATA_DIR: dataFolder };
  return {
    env,
    path,
    dynamo: aws.dynamo,
    sqs: aws.sqs,
    queueUrls: aws.queueUrls,
    clientSecret: vendors.clientSecret,
    hubSpot: (method: string, path: string, body?: unknown) =>
      askHubSpot(sandbox.hubSpot.handle, { method, path, body }),
    dataServiceUrl: sandbox.dataServiceUrl,
    run: (argv: readonly string[], more: { answer?: string; io?: Partial<CliIo> } = {}) =>
      runCommand(argv, { env, ...more }),
    setting: (settings: unknown) => verb('PUT', 'settings', settings),
    bill: async () => Number((await verb('GET', 'bill'))['creditsCharged']),
    records: async (kind: 'person' | 'company') => {
      const { records } = await verb('GET', `records?kind=${kind}&limit=300`);
      return records as Record<string, string>[];
    },
    stop: async () => {
      await vendors.close();
      await aws.close();
      await hold.release();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** A call of the app, or a verb of the stand-in under `/_sandbox/`. */
export async function askHubSpot(
  handle: (request: Request) => Promise<Response>,
  { method, path, body }: { method: string; path: string; body?: unknown },
): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer sandbox-token' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await handle(new Request(`http://stand-in${path}`, { method, headers, ...sent }));
  const text = await response.text();
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

export type StandIns = Awaited<ReturnType<typeof startStandIns>>;

/** A reader of RFC 4180 that shares nothing with the writer. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    if (match.index === text.length) break;
    const [, quoted, plain = '', end] = match;
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}
