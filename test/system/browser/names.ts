import type { Browser, Page } from 'playwright-core';
import type { Check } from './checks.ts';
import type { Laptop } from './laptop.ts';

const FIVE_MINUTES = 5 * 60_000 + 500;

/** What `npm start` adds to its spend page: names for whoever has the printed address. And the page says how old it is. */
export async function readNames(
  browser: Browser,
  { laptop, check }: { readonly laptop: Laptop; readonly check: Check },
): Promise<void> {
  const { url, spendPage } = laptop;
  const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
  const open = async (address: string) => void (await page.goto(address, { waitUntil: 'networkidle' }));
  await check('without the secret of this start, records have ids', async () => {
    await open(`${url}/spend/charges`);
    const names = await recordsOn(page);
    if (names.length === 0 || !names.every(isId)) throw new Error(`It shows ${names.join(', ')}.`);
  });
  await check('with it, records have names on each view, and the address does not keep it', async () => {
    await open(spendPage);
    if (page.url() !== `${url}/spend`) throw new Error(`The address is ${page.url()}.`);
    for (const view of ['charges', 'waiting']) {
      await open(`${url}/spend/${view}`);
      const names = await recordsOn(page);
      if (names.length === 0 || names.every(isId)) throw new Error(`${view} shows ${names.join(', ')}.`);
    }
  });
  await check('a page that stays open says how many minutes old it is', async () => {
    await open(`${url}/spend`);
    const minutesAfter = (ms: number) =>
      page.evaluate<string>(`(() => {
        for (const animation of document.getAnimations()) animation.currentTime = ${ms};
        return getComputedStyle(document.querySelector('.age'), '::before').getPropertyValue('--minutes');
      })()`);
    const minutes = [await minutesAfter(0), await minutesAfter(FIVE_MINUTES)];
    if (minutes.join() !== '0,5') throw new Error(`It says ${minutes.join(', then ')}.`);
  });
  await page.close();
}

function recordsOn(page: Page): Promise<string[]> {
  return page.locator('[data-record]').allTextContents();
}

function isId(name: string): boolean {
  return /^(?:Contact|Company) \d+$/.test(name);
}
