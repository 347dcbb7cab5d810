import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { NOTES } from '../../../infra/hubspot-app/src/app/cards/words.ts';
import { appScript } from '../../../infra/local/app-script.ts';
import { type Served, serveSandbox } from '../../../infra/sandbox/serve.ts';
import { type RecordName, WEBHOOK_URL } from '../../harness/hubspot-portal.ts';
import { contact, someCompany, somePerson } from '../../harness/people.ts';
import { settleDown, verify } from '../../harness/steps.ts';
import { createWorld, type World } from '../../harness/world.ts';
import { photograph, startChromium } from './laptop.ts';

let browser: Browser;
let script: string;

beforeAll(async () => {
  [browser, script] = await Promise.all([startChromium(), appScript(WEBHOOK_URL, 'card')]);
});

afterAll(() => browser.close());

interface Screen {
  readonly page: Page;
  readonly served: Served;
  /** What the page said on its console as errors. */
  readonly errors: readonly string[];
}

/** A record's page in the stand-in, on a port; what the card asks for is done before the stand-in answers. */
async function open(world: World, { objectType, id }: RecordName, place = ''): Promise<Screen> {
  const { handle } = world.portal.sandbox;
  const served = await serveSandbox({
    port: 0,
    handle: async (request) => {
      const isFetch = new URL(request.url).pathname === '/_sandbox/fetch';
      const response = await handle(request);
      if (isFetch) await settleDown(world);
      return response;
    },
  });
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(`${served.url}/screen/${objectType}/${id}${place}`);
  return { page, served, errors };
}

async function close({ page, served, errors }: Screen): Promise<void> {
  expect(errors).toEqual([]);
  await page.close();
  await served.close();
}

const options = { app: async () => script };

/** The navigation and the values of the record come before the card. */
const MOST_STEPS = 60;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describe("a contact's card in a browser", () => {
  it('tells why each value is there, enriches with the price first, undoes, and marks a wrong match', async () => {
    const world = await createWorld({ ...options, agedMs: DAY_MS });
    const record = await contact(world, 0, { email: somePerson(world).job.email ?? '' });
    await settleDown(world);
    const screen = await open(world, record);
    const { page } = screen;

    const buy = page.getByRole('button', { name: /^Fill up to \d+ blanks: at most 1 credit$/ });
    await buy.waitFor();
    expect(world.charged()).toBe(0);
    await photograph(page, 'contact-1-price');

    await buy.click();
    await page.locator('#properties [data-property=jobtitle]').waitFor();
    expect(world.charged()).toBe(1);
    const title = page.locator('#card').getByRole('row').filter({ hasText: 'Job Title' });
    expect(await title.textContent()).toMatch(/empty \u2192 .+\d+ Nov/);
    expect(await page.locator('#card').textContent()).not.toContain(record.id);
    await photograph(page, 'contact-3-enriched');

    await button(page, 'Undo Job Title').click();
    await page.getByText(NOTES.undone(1)).waitFor();
    await page.locator('#properties [data-property=jobtitle]').waitFor({ state: 'detached' });
    await photograph(page, 'contact-4-undone');

    await button(page, 'Wrong match').click();
    await button(page, 'Yes, a wrong match').click();
    await page.getByText('By reverse email lookup.').waitFor();
    await page.getByRole('button', { name: /at most 1 credit$/ }).waitFor();
    await photograph(page, 'contact-5-wrong-match');
    expect(world.charged()).toBe(1);

    await close(screen);
    await verify(world);
  });

  it('fits the sidebar, and a person with a keyboard gets everywhere', async () => {
    const world = await createWorld(options);
    const record = await contact(world);
    await settleDown(world);
    const screen = await open(world, record, '?sidebar');
    const { page } = screen;
    await button(page, 'Wrong match').waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent');
    for (let step = 0; step < MOST_STEPS && (await focused()) !== 'Wrong match'; step += 1)
      await page.keyboard.press('Tab');
    expect(await focused()).toBe('Wrong match');
    await page.keyboard.press('Enter');
    await button(page, 'Yes, a wrong match').waitFor();
    await photograph(page, 'contact-sidebar');
    await close(screen);
  });

  it('cuts no value off in the sidebar, 352 px wide', async () => {
    const world = await createWorld(options);
    const record = await contact(world);
    await settleDown(world);
    const screen = await open(world, record, '?sidebar');
    const { page } = screen;
    await button(page, 'Undo Job Title').waitFor();
    const overflow = await page.evaluate(
      'const card = document.getElementById("card"); card.scrollWidth - card.clientWidth',
    );
    expect(overflow).toBe(0);
    // Each undo stands beside its value, also of a long one.
    await page.getByRole('button', { name: /^All \d+ values$/ }).click();
    const dropped = await page.evaluate(
      '[...document.querySelectorAll("#card .justify-between")].filter(({ firstChild, lastChild }) => lastChild.getBoundingClientRect().top >= firstChild.getBoundingClientRect().bottom).length',
    );
    expect(dropped).toBe(0);
    await photograph(page, 'contact-sidebar-values');
    await close(screen);
  });
});

describe("a company's card in a browser", () => {
  it('shows what is ours', async () => {
    const world = await createWorld(options);
    const domain = someCompany(world).domains[0] ?? '';
    const record = await world.portal.create('companies', { domain });
    await settleDown(world);
    const screen = await open(world, record);
    await screen.page.getByText('History: 1').waitFor();
    await photograph(screen.page, 'company');
    await close(screen);
  });
});
