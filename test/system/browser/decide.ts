import type { Browser, Locator, Page } from 'playwright-core';
import { BACKFILL_REPLIES } from '#shared/extensions/backfill';
import { REPLY_TEXTS } from '#shared/requests';
import { BUTTONS, NOTES } from '../../../infra/hubspot-app/src/app/cards/words.ts';
import { PAGE_BUTTONS } from '../../../infra/hubspot-app/src/app/pages/home-words.ts';
import type { Check } from './checks.ts';
import type { Laptop } from './laptop.ts';
import { photograph } from './laptop.ts';
import { lookAtScreen } from './stand-in.ts';

/** The sweep stores the page again within a minute after a decision. */
const SWEPT_MS = 90_000;

/** A person decides at the app's home page, in the stand-in HubSpot of a month's laptop. */
export async function decideAtHome(
  browser: Browser,
  { laptop, check }: { laptop: Laptop; check: Check },
): Promise<void> {
  const { hubSpotUrl: url } = laptop;
  await lookAtScreen(browser, { url, path: '/screen/home', check });
  // Before the decisions: the sweep shows it with the first page after them.
  await laptop.command('backfill', 'quote', '--objects', 'contacts', '--json');
  const page = await openHome(browser, url);
  const stale = await openHome(browser, url);
  // Its figures stay as they are.
  await stale.route('**/_sandbox/fetch', (route) =>
    route.request().postData()?.includes('/home"') ? route.abort() : route.continue(),
  );
  await check('home: a review item shows its values, and only the ticked ones are written', () =>
    acceptOne(page),
  );
  await check('home: a doubt is decided, and a second tab decides nothing', async () => {
    await page.getByRole('button', { name: 'Not charged: book 0' }).first().click();
    await page.getByText(REPLY_TEXTS['doubt-not-charged']).waitFor();
    await stale
      .getByRole('button', { name: /^Charged: book/ })
      .first()
      .click();
    await stale.getByText(REPLY_TEXTS['doubt-resolved-already']).waitFor();
  });
  await check('home: a reply that gets lost is asked for again, and all spending is stopped once', () =>
    stopSpending(page),
  );
  await check('home: a backfill is started at the price that it shows', () => startBackfill(page));
  await check('home: a person resumes spending', async () => {
    const resume = page.getByRole('button', { name: 'Resume all spending' }).first();
    await lookUntil(page, resume);
    await resume.click();
    await page.getByText(REPLY_TEXTS['spending-continues']).first().waitFor();
  });
  await photograph(page, 'home-decided');
  await page.close();
  await stale.close();
}

async function openHome(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
  await page.goto(`${url}/screen/home`);
  await page.getByRole('heading', { name: 'Needs a decision' }).waitFor();
  return page;
}

async function acceptOne(page: Page): Promise<void> {
  const tick = page.getByRole('checkbox', { name: /^Tick (?!A contact$|A company$)/ }).first();
  const name = (await tick.getAttribute('aria-label'))?.replace('Tick ', '') ?? '';
  await page
    .getByRole('button', { name: PAGE_BUTTONS.open(name), exact: true })
    .first()
    .click();
  await page.getByRole('columnheader', { name: 'In HubSpot now' }).waitFor();
  const boxes = page.getByRole('checkbox', { name: /^Write / });
  const offered = await boxes.count();
  await photograph(page, 'home-values');
  if (offered === 0) throw new Error('No value is offered.');
  await boxes.first().check();
  await page.getByRole('button', { name: BUTTONS.accept(1) }).click();
  const decided = page.getByRole('heading', { name: NOTES.decided }).first();
  // An identity is asked about a second time.
  const sure = page.getByRole('button', { name: BUTTONS.sureOther });
  await decided.or(sure).waitFor();
  if (await sure.isVisible()) await sure.click();
  await decided.waitFor();
}

async function stopSpending(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stop all spending' }).click();
  let lost = 0;
  await page.route('**/_sandbox/fetch', async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    // The request arrives, and its reply does not.
    await route.fetch();
    return route.abort();
  });
  await page.getByRole('button', { name: 'Yes, stop spending' }).click();
  await page.getByText(REPLY_TEXTS['spending-stopped']).first().waitFor();
  await page.unroute('**/_sandbox/fetch');
}

async function startBackfill(page: Page): Promise<void> {
  const start = page.getByRole('button', { name: /^Start the trial: (free|at most \d+ credits?)$/ });
  await lookUntil(page, start);
  await start.first().click();
  const [agreed = ''] = BACKFILL_REPLIES['agreed-but-held'].text({ stopReason: '' }).split(',');
  await page.getByText(agreed).first().waitFor();
}

/** Looks again until the sweep has stored a page with the button. */
async function lookUntil(page: Page, button: Locator): Promise<void> {
  const endsAt = Date.now() + SWEPT_MS;
  while ((await button.count()) === 0) {
    if (Date.now() > endsAt) throw new Error('The button never appeared on the page.');
    await page.waitForTimeout(1_000);
    await page.getByRole('button', { name: 'Refresh' }).first().click();
  }
}
