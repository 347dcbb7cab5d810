import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

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
