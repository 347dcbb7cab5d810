import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Debian's package `chromium`; another one by CHROMIUM. */
const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const PICTURES = join(import.meta.dirname, '../../.data/pictures');

/** @throws Error that says what to install. */
export async function startChromium(): Promise<Browser> {
  try {
    return await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] });
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : '';
    throw new Error(
      `There is no Chromium at ${EXECUTABLE}: install Debian's chromium, or name one by CHROMIUM. ${why}`,
    );
  }
}

/** For people to look at: `.data/pictures`. */
export async function photograph(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}
