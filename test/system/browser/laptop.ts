import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#shared/kernel/adapters';
import { run } from '../../../infra/cli/run.ts';

const MAIN = join(import.meta.dirname, '../../../infra/local/main.ts');
const PATIENCE_MS = 300_000;

export interface Laptop {
  /** Of the web server, such as `http://127.0.0.1:41933`. */
  readonly url: string;
  /** Of the stand-in HubSpot's pages. */
  readonly hubSpotUrl: string;
  /** What a command prints as JSON, beside the running system. */
  command(...argv: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** `npm start` in a folder of its own, once it serves; with `--month` where a month is to be seen. */
export async function startLaptop(args: readonly string[]): Promise<Laptop> {
  const folder = await mkdtemp(join(tmpdir(), 'browser-'));
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: folder };
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let out = '';
  const serving = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk;
      if (out.includes('Serving until')) resolve();
    });
  });
  const close = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  await Promise.race([serving, ended, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref())]);
  const url = /(http:\/\/\S+)\/spend\b/.exec(out)?.[1];
  const hubSpotUrl = /HubSpot +(http:\/\/\S+)/.exec(out)?.[1];
  if (!url || !hubSpotUrl || !out.includes('Serving until')) {
    await close();
    throw new Error(`npm start -- ${args.join(' ')} did not come to serve:\n${out}`);
  }
  const command = async (...argv: readonly string[]) => {
    const printed: string[] = [];
    const told: string[] = [];
    const io = {
      out: (text: string) => void printed.push(text),
      err: (text: string) => void told.push(text),
    };
    const code = await run([...argv], {
      ...io,
      clock: systemClock,
      colours: false,
      env: { DATA_DIR: folder },
    });
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${told.join('')}`);
    return printed.join('');
  };
  return { url, hubSpotUrl, command, close };
}
