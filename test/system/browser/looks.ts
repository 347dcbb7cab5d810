import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { Check } from './checks.ts';
import { photograph } from './laptop.ts';

const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1_440, 390] as const;
/** Three screens of a phone, and two of a desktop. Only the spend page has a limit: the lists are as long as they are. */
const MOST_PIXELS = { 1440: 1_850, 390: 2_532 } as const;

/** Each view in both schemes, on a wide and on a narrow screen. */
export async function lookAtViews(
  browser: Browser,
  { url, views, check }: { url: string; views: readonly string[]; check: Check },
): Promise<void> {
  for (const view of views)
    for (const colorScheme of SCHEMES)
      for (const width of WIDTHS) {
        // The rules of axe are a script, which the page's own policy would not let run.
        const options = { colorScheme, viewport: { width, height: 900 }, bypassCSP: true };
        const page = await browser.newPage(options);
        const asked: string[] = [];
        page.on('request', (request) => asked.push(request.url()));
        const response = await page.goto(`${url}${view}`);
        const path = view.replace(/\?.*/, '');
        const name = `${path}, ${colorScheme}, ${width} px`;
        await check(`${name}: is served, and lets nothing else be loaded`, async () => {
          if (response?.status() !== 200) throw new Error(`It answers ${response?.status()}.`);
          const policy = (await response.allHeaders())['content-security-policy'] ?? '';
          if (!policy.startsWith("default-src 'none'")) throw new Error(`Its policy is "${policy}".`);
        });
        await check(`${name}: runs one script at most, and asks nobody else`, () =>
          standsAlone(page, { url, asked }),
        );
        await check(`${name}: does not scroll sideways`, () => fits(page));
        await check(`${name}: keeps the rules of axe`, () => keepsRules(page));
        if (path === '/spend')
          await check(`${name}: is at most ${MOST_PIXELS[width]} px long`, async () => {
            const height = await page.evaluate<number>('document.documentElement.scrollHeight');
            if (height > MOST_PIXELS[width]) throw new Error(`It is ${height} px long.`);
          });
        const file = `${path.slice(1).replaceAll('/', '-')}-${colorScheme}-${width}`;
        await photograph(page, file);
        if (width === 390) await check(`${name}: no table scrolls sideways`, () => tablesFit(page));
        await page.close();
      }
}

/** And what elements do when something befalls them. */
const COUNT_SCRIPTS = `document.scripts.length + [...document.querySelectorAll('*')]
  .flatMap(({ attributes }) => [...attributes]).filter(({ name }) => name.startsWith('on')).length`;

async function standsAlone(page: Page, { url, asked }: { url: string; asked: readonly string[] }) {
  const elsewhere = asked.filter((address) => !address.startsWith(`${url}/`));
  if (elsewhere.length > 0) throw new Error(`It asks ${elsewhere.join(', ')}.`);
  const scripts = await page.evaluate<number>(COUNT_SCRIPTS);
  if (scripts > 1) throw new Error(`It has ${scripts} scripts.`);
}

export async function fits(page: Page): Promise<void> {
  const [inside, visible] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  if (inside > visible) throw new Error(`It is ${inside} px wide, of which ${visible} are seen.`);
}

/** A folded table has no width, so all are unfolded first. */
const WIDE_REGIONS = `(() => {
  for (const folded of document.querySelectorAll('details')) folded.open = true;
  return [...document.querySelectorAll('[role=region]')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((region) => region.getAttribute('aria-label'));
})()`;

async function tablesFit(page: Page): Promise<void> {
  const wide = await page.evaluate<string[]>(WIDE_REGIONS);
  if (wide.length > 0) throw new Error(`These scroll: ${wide.join(', ')}.`);
  await fits(page);
}

/** @param more rules that axe leaves out unless it is told */
export async function keepsRules(page: Page, more: readonly string[] = []): Promise<void> {
  await page.evaluate(axe.source);
  const rules = Object.fromEntries(more.map((rule) => [rule, { enabled: true }]));
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify({ rules })})`);
  if (violations.length === 0) return;
  const told = violations.map(({ id, help, nodes }) => `${id} (${help}): ${nodes[0]?.html.slice(0, 160)}`);
  throw new Error(told.join('; '));
}
