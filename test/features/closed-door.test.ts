import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Announcement } from '../../infra/local/announce.ts';
import { runCommand } from '../harness/console.ts';
import { startProgram } from '../harness/programs.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'door-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Local addresses of the listening sockets of a process, as Linux writes them. */
async function listening(pid: number): Promise<string[]> {
  const fds = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  const inodes = new Set(links.map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]));
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')));
  return tables
    .flatMap((table) => table.trim().split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && inodes.has(inode))
    .map(([, address = '']) => address.split(':')[0] ?? '');
}

/** 127.0.0.1 and ::1, in the byte order of this machine. */
const LOOPBACK = /^(?:0100007F|0{24}01000000)$/;

type Headers = Readonly<Record<string, string>>;

function ask(url: string, headers: Headers, body = '{}'): Promise<{ status: number; headers: Headers }> {
  const answered = Promise.withResolvers<{ status: number; headers: Headers }>();
  const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
    response.resume();
    answered.resolve({ status: response.statusCode ?? 0, headers: response.headers as Headers });
  });
  sent.once('error', answered.reject);
  sent.end(body);
  return answered.promise;
}

describe('a running system', () => {
  it('listens on this machine only, with ports for its pages and stand-ins alone', async () => {
    const dataDir = join(folder, 'start');
    const running = startProgram('infra/local/main.ts', [], { DATA_DIR: dataDir });
    try {
      await running.line(/^Serving until/);
      const file = join(dataDir, 'sandbox/running.json');
      const modes = await Promise.all([file, join(dataDir, 'sandbox'), dataDir].map((path) => stat(path)));
      expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o700, 0o700]);
      const { pid, url, ...standIns } = JSON.parse(await readFile(file, 'utf8')) as {
        pid: number;
      } & Announcement;
      if (existsSync('/proc/net/tcp')) {
        const addresses = await listening(pid);
        expect(addresses.length).toBe(3);
        for (const address of addresses) expect(address).toMatch(LOOPBACK);
      } else console.warn('No /proc here: the sockets of the process are not looked at.');
      const pages = [`${url}/spend`, `${standIns.hubSpotBaseUrl}/`, `${standIns.dataServiceBaseUrl}/`];
      for (const page of pages)
        expect([page, (await ask(page, { host: 'rebound.example' })).status]).toEqual([page, 421]);
      const origin = 'https://attacker.example';
      for (const base of [standIns.hubSpotBaseUrl, standIns.dataServiceBaseUrl])
        expect((await ask(`${base}/_sandbox/reset`, { origin })).status).toBe(403);
    } finally {
      await running.interrupt();
    }
  });
});

describe.runIf(existsSync('/proc/net/tcp'))('a command without a running system', () => {
  it('listens on this machine only, with the port of its page alone', async () => {
    const dataDir = join(folder, 'command');
    const env = { DATA_DIR: dataDir };
    await runCommand(['setup'], { env });
    const others = await listening(process.pid);
    const ctrlC = new AbortController();
    const printed = Promise.withResolvers<void>();
    const io = { signal: ctrlC.signal, out: () => printed.resolve() };
    const ended = runCommand(['page'], { env, io });
    await Promise.race([printed.promise, ended]);
    const addresses = await listening(process.pid);
    ctrlC.abort(new Error('Ctrl-C'));
    await ended;
    expect(addresses.length).toBe(others.length + 1);
    for (const address of addresses) expect(address).toMatch(LOOPBACK);
  });
});
