import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../harness/console.ts';
import { startProgram } from '../../harness/programs.ts';

export interface Laptop {
  /** Of the web server, such as `http://127.0.0.1:41933`. */
  readonly url: string;
  /** The spend page with this start's secret, as it is printed. */
  readonly spendPage: string;
  /** Of the stand-in HubSpot's pages. */
  readonly hubSpotUrl: string;
  /** What a command prints as JSON, beside the running system. */
  command(...argv: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** `npm start` in a folder of its own, once it serves; with `--month` where a month is to be seen. */
export async function startLaptop(args: readonly string[]): Promise<Laptop> {
  const folder = await mkdtemp(join(tmpdir(), 'browser-'));
  const program = startProgram('infra/local/main.ts', args, { DATA_DIR: folder });
  const close = async () => {
    await program.interrupt('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  };
  const address = async (pattern: RegExp) => pattern.exec(await program.line(pattern))?.[1] ?? '';
  await program.line(/Serving until/);
  const url = await address(/(http:\/\/\S+)\/spend\b/);
  const spendPage = await address(/(http:\/\/\S+\/spend#\S+)/);
  const hubSpotUrl = await address(/HubSpot +(http:\/\/\S+)/);
  const command = async (...argv: readonly string[]) => {
    const { code, out: printed, err } = await runCommand(argv, { env: { DATA_DIR: folder, POLICY: '' } });
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${err}`);
    return printed;
  };
  return { url, spendPage, hubSpotUrl, command, close };
}
