import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Ran } from './processes.ts';
import type { Workshop } from './workshop.ts';

/** The tested version. Its own dependencies are few and not pinned. */
const MINISTACK = 'ministack==1.5.33';

/** The stand-in for AWS cannot be installed on this machine. The message is one sentence. */
export class NotInstalled extends Error {}

/** Installs MiniStack into the test's folder. @returns its command @throws NotInstalled */
export async function installMinistack({ processes, folder, env }: Workshop): Promise<string> {
  const venv = join(folder, 'venv');
  const run = async (command: readonly [string, ...string[]], sentence: string) => {
    const ran = await processes.run(command, { cwd: folder, env }).catch(notStarted);
    if (ran.code !== 0) throw new NotInstalled(`${sentence} ${lastLine(ran.output)}`.trim());
  };
  const version = 'import sys; sys.exit(sys.version_info < (3, 10))';
  await run(
    ['python3', '-c', version],
    'This test needs Python 3.10 or newer as python3, which is not here.',
  );
  await run(
    ['python3', '-m', 'venv', venv],
    'This test needs the modules venv and pip of Python (on Debian: python3-venv), which do not work here:',
  );
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', MINISTACK];
  await run([join(venv, 'bin/python3'), ...pip], `pip could not install ${MINISTACK}:`);
  return join(venv, 'bin/ministack');
}

function notStarted(): Ran {
  return { code: null, output: '', results: '' };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

/** Starts it and waits until it answers. It stores everything in the test's folder. */
export async function startMinistack(
  { processes, folder, env, logFile }: Workshop,
  { command, port }: { readonly command: string; readonly port: number },
): Promise<void> {
  const temporary = join(folder, 'ministack');
  await mkdir(temporary);
  const child = processes.start([command], {
    cwd: folder,
    env: { ...env, TMPDIR: temporary, STATE_DIR: temporary, S3_DATA_DIR: temporary },
  });
  const log = createWriteStream(logFile);
  child.stdout?.pipe(log);
  child.stderr?.pipe(log);
  const untilMs = performance.now() + 60_000;
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`MiniStack ended with ${child.exitCode} at its start.`);
    if (performance.now() > untilMs) throw new Error('MiniStack did not answer within a minute.');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/_ministack/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Finds a free port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== 'object' || address === null) throw new Error('A server has an address.');
  return address.port;
}
