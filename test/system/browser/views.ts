import type { Browser } from 'playwright-core';

/** The pages that links lead to from the first one on, one of each path, as path and query. */
export async function viewsFrom(browser: Browser, url: string): Promise<readonly string[]> {
  const page = await browser.newPage();
  const views = new Map([['/spend', '/spend']]);
  for (const view of views.values()) {
    await page.goto(`${url}${view}`);
    const links = await page.locator('a[href]').all();
    const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
    for (const address of addresses) {
      const { origin, pathname, search } = new URL(address ?? '', page.url());
      const isView = origin === url && !pathname.includes('.');
      if (isView && !views.has(pathname)) views.set(pathname, `${pathname}${search}`);
    }
  }
  await page.close();
  return [...views.values()];
}
