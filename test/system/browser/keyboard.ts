import type { Browser, Page } from 'playwright-core';
import type { Check } from './checks.ts';

/** Elements that the keyboard reaches. */
const FOCUSABLE =
  'a[href], summary, button:enabled, input:not([type=hidden]):enabled, select, textarea, [tabindex="0"]';

/** A date has a day, a month, a year and a calendar. */
const MOST_PARTS = 4;

/** Everything that a mouse can use is reached with the tabulator, shows that it is, and does its work. */
export async function useKeyboard(
  browser: Browser,
  { url, views, check }: { url: string; views: readonly string[]; check: Check },
): Promise<void> {
  for (const view of views) {
    const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
    await page.goto(`${url}${view}`);
    await check(`${view.split('?')[0]}: everything is reached by keyboard, and seen to be`, () =>
      reachesAll(page),
    );
    await check(`${view.split('?')[0]}: what is folded opens by keyboard`, () => unfolds(page));
    await page.close();
  }
}

interface Focus {
  /** Of what has it, among all that may; negative for nothing of them. */
  readonly place: number;
  readonly isSeen: boolean;
}

/** Of a date, the browser itself marks the part that is being typed. */
const FOCUS = `(() => {
  const { activeElement: active } = document;
  const { outlineStyle, outlineWidth } = getComputedStyle(active);
  const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
  const place = [...document.querySelectorAll(${JSON.stringify(FOCUSABLE)})].indexOf(active);
  return { place, isSeen: isOutlined || active.matches('[type=date]') };
})()`;

export async function reachesAll(page: Page): Promise<void> {
  const all = await page.locator(FOCUSABLE).filter({ visible: true }).count();
  const reached = new Set<number>();
  for (let step = 0; reached.size < all && step < all * MOST_PARTS; step += 1) {
    await page.keyboard.press('Tab');
    const { place, isSeen } = await page.evaluate<Focus>(FOCUS);
    if (place < 0) throw new Error(`After ${step + 1} steps it is nowhere.`);
    if (!isSeen) throw new Error(`The ${place + 1}th of ${all} is not seen to be reached.`);
    reached.add(place);
  }
  if (reached.size < all) throw new Error(`${reached.size} of ${all} are reached.`);
}

async function unfolds(page: Page): Promise<void> {
  const folded = page.locator('details:not([open])');
  const before = await folded.count();
  if (before === 0) return;
  await folded.first().locator('summary').focus();
  await page.keyboard.press('Enter');
  if ((await folded.count()) !== before - 1) throw new Error('It stays folded.');
}
