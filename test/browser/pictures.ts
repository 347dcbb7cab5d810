import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { Laptop } from './laptop.ts';

/** Where the documents look for them. */
const FOLDER = join(import.meta.dirname, '../../.github/pictures');
const MOST_BYTES = 150_000;

const PICTURES = [
  { file: 'spend.png', view: '/spend', colorScheme: 'light', height: 1_150 },
  { file: 'charges.png', view: '/spend/charges', colorScheme: 'dark', height: 700 },
] as const;

/** Takes the documents' pictures again. @throws Error where one is too large, or its view is not there. */
export async function takePictures(browser: Browser, { url }: Laptop): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  for (const { file, view, colorScheme, height } of PICTURES) {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1_100, height } });
    const response = await page.goto(`${url}${view}`);
    if (response?.status() !== 200) throw new Error(`${view} answers ${response?.status()}.`);
    const { byteLength } = await page.screenshot({ path: join(FOLDER, file) });
    if (byteLength > MOST_BYTES) throw new Error(`${file} has ${byteLength} bytes, ${MOST_BYTES} at most.`);
    console.log(`${file}: ${byteLength} bytes`);
    await page.close();
  }
}
