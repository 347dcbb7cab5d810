import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { Laptop } from './laptop.ts';

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
