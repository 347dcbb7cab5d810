import type { Browser, Page } from 'playwright-core';
import { NOTES } from '../../../infra/hubspot-app/src/app/cards/words.ts';
import type { Check } from './checks.ts';
import { reachesAll } from './keyboard.ts';
import { photograph } from './laptop.ts';
import { fits, keepsRules } from './looks.ts';

const WIDTHS = [1_440, 1_024, 390];
const TITLE = `<script>alert('run')</script> Head of Proofs`;

/** A newcomer in the stand-in HubSpot: each step is what a person does and then sees. */
export async function clickThrough(
  browser: Browser,
  { url, check }: { url: string; check: Check },
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
  const said: string[] = [];
  page.on('pageerror', ({ message }) => said.push(message));
  page.on('dialog', async (dialog) => {
    said.push(`A dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  await check('stand-in: a created contact is enriched while its page is open', () => create(page, url));
  const record = new URL(page.url()).pathname;
  await check('stand-in: a value changed by hand stays, and runs no script', () => edit(page));
  await check('stand-in: the card gives a value back', () => undoCity(page));
  await check('stand-in: a workflow that enriches the record leaves the edit', () => enroll(page, record));
  await check('stand-in: the sample CSV is imported', () => importSamples(page, url));
  await check('stand-in: no script failed, and no dialog opened', async () => {
    if (said.length > 0) throw new Error(said.join('; '));
  });
  await page.close();
  const property = `${record}/property?name=jobtitle`;
  const fixed = ['/screen/contacts', '/screen/companies/new', '/screen/contacts/import', '/screen/workflow'];
  for (const path of [...fixed, record, `${record}?sidebar`, property])
    await lookAtScreen(browser, { url, path, check });
}

const titleRow = (page: Page) => page.locator('#properties [data-property=jobtitle]');

async function create(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('link', { name: 'Create a contact' }).click();
  await page.locator('.samples a').first().click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await titleRow(page).getByText('The enrichment app').waitFor();
  await page.getByRole('link', { name: 'Reload the page' }).click();
  await page.locator('#card').getByText('From enrichment').first().waitFor();
}

async function edit(page: Page): Promise<void> {
  await titleRow(page).getByRole('link').click();
  await page.getByLabel('Job Title').fill(TITLE);
  await page.getByRole('button', { name: 'Save as a person' }).click();
  await titleRow(page).getByText(TITLE).waitFor();
  await page.reload();
  await titleRow(page).getByText(TITLE).waitFor();
  await titleRow(page).getByText('Person (user 1001)').waitFor();
}

async function undoCity(page: Page): Promise<void> {
  const city = page.locator('#properties [data-property=city]');
  await city.waitFor();
  await page.getByRole('button', { name: 'Undo City', exact: true }).click();
  await page.locator('#card').getByText(NOTES.undone(1)).waitFor();
  await city.waitFor({ state: 'detached' });
}

/** The workflow's report may take a sweep. */
const REPORT_MS = 90_000;

async function enroll(page: Page, record: string): Promise<void> {
  await page.getByRole('button', { name: 'Enroll in the workflow' }).click();
  const done = page.getByRole('row').filter({ has: page.locator(`a[href="${record}"]`), hasText: 'Done' });
  const endsAt = Date.now() + REPORT_MS;
  while ((await done.count()) === 0) {
    if (Date.now() > endsAt) throw new Error('The workflow was never told how the record ended.');
    await page.waitForTimeout(1_000);
    await page.getByRole('link', { name: 'Look again' }).click();
  }
  await done.getByRole('link').click();
  await titleRow(page).getByText(TITLE).waitFor();
}

async function importSamples(page: Page, url: string): Promise<void> {
  const sample = await page.request.get(`${url}/screen/companies/sample.csv`);
  await page.goto(`${url}/screen/companies/import`);
  const buffer = await sample.body();
  await page.getByLabel('CSV file').setInputFiles({ name: 'sample.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Import' }).click();
  await page.getByText(/^\d+ records were created\.$/).waitFor();
}

/** A button of the app's part of the page: it stands there once the part is drawn. */
function buttonOf(path: string): string | RegExp {
  return path === '/screen/home' ? 'Refresh' : /: (free|at most \d+ credits?)$|Wrong match/;
}

/** One page of the stand-in in both schemes and at three widths. */
export async function lookAtScreen(
  browser: Browser,
  { url, path, check }: { url: string; path: string; check: Check },
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of WIDTHS) {
      // The rules of axe are a script, which the page's own policy would not let run.
      const options = { colorScheme, viewport: { width, height: 900 }, bypassCSP: true };
      const page = await browser.newPage(options);
      await page.goto(`${url}${path}`);
      if ((await page.locator('#card').count()) > 0)
        await page
          .locator('#card')
          .getByRole('button', { name: buttonOf(path) })
          .first()
          .waitFor();
      const place = path.replace(/\d{6,}/, 'record').replaceAll(/[^a-z]+/g, '-');
      const name = `stand-in${place}, ${colorScheme}, ${width} px`;
      await check(`${name}: does not scroll sideways`, () => fits(page));
      await check(`${name}: keeps the rules of axe`, () => keepsRules(page, ['target-size']));
      if (width === 390) await check(`${name}: is reached by keyboard`, () => reachesAll(page));
      await photograph(page, `stand-in${place}-${colorScheme}-${width}`);
      await page.close();
    }
}
