import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
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

const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const isRoot = process.getuid?.() === 0;

/** @throws Error with what to do where there is no Chromium. */
export function startChromium(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? USUAL.find(existsSync) ?? installed();
  if (!executablePath || !existsSync(executablePath))
    throw new Error(
      `There is no Chromium at ${executablePath ?? 'any usual place'}: install it (Debian: apt-get install chromium), or set CHROMIUM to where it is.`,
    );
  // As root it refuses to start within its sandbox.
  return chromium.launch({ executablePath, args: isRoot ? ['--no-sandbox'] : [] });
}

/** Tries Debian's package, where this machine is one's own. */
function installed(): string | undefined {
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return undefined;
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']])
    execFileSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return USUAL.find(existsSync);
}

/** Ignored by git; continuous integration keeps them. */
const SCREENSHOTS = join(import.meta.dirname, '../../../screenshots');

/** The whole page, for people to look at. */
export async function photograph(page: Page, name: string): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

/** Where the documents look for them. */
const FOLDER = join(import.meta.dirname, '../../../.github/pictures');
const MOST_BYTES = 160_000;

const PICTURES = [
  { file: 'spend.png', server: 'url', view: '/spend', colorScheme: 'light', height: 900 },
  { file: 'charges.png', server: 'url', view: '/spend/charges', colorScheme: 'dark', height: 700 },
  { file: 'home.png', server: 'hubSpotUrl', view: '/screen/home', colorScheme: 'light', height: 1_000 },
] as const;

/** Takes the documents' pictures again. @throws Error where one is too large, or its view is not there. */
export async function takePictures(browser: Browser, laptop: Laptop): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const { file, server, view, colorScheme, height } of PICTURES) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1_100, height } });
    const response = await page.goto(`${laptop[server]}${view}`, { waitUntil: 'networkidle' });
    if (response?.status() !== 200) throw new Error(`${view} answers ${response?.status()}.`);
    const { byteLength } = await page.screenshot({ path: join(FOLDER, file) });
    if (byteLength > MOST_BYTES) throw new Error(`${file} has ${byteLength} bytes, ${MOST_BYTES} at most.`);
    console.log(`${file}: ${byteLength} bytes`);
    await page.close();
  }
}
