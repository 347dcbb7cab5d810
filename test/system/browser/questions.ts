import type { Browser, Page } from 'playwright-core';
import { type Books, readBooks } from './books.ts';
import type { Check } from './checks.ts';
import type { Laptop } from './laptop.ts';
import { figure, like, note, same, sumOf, tile, wordsOf } from './page-texts.ts';

interface Asked {
  readonly page: Page;
  readonly url: string;
  readonly books: Books;
}

/** What a stranger wants to know of a month, answered from its page alone, and held against the ledger. */
export async function askQuestions(
  browser: Browser,
  { laptop, check }: { laptop: Laptop; check: Check },
): Promise<void> {
  const books = await readBooks(laptop);
  const questions: readonly [question: string, answer: (asked: Asked) => Promise<void>][] = [
    ['What did we spend, and on what?', spent],
    ['What did it bring?', brought],
    ['Which records wait, and why?', waits],
    ['What is left, and what will the month cost?', left],
    ['Which records were charged on the 14th, and why?', chargedOnDay],
  ];
  for (const [question, answer] of questions) {
    const page = await browser.newPage({ viewport: { width: 1_400, height: 900 }, javaScriptEnabled: false });
    // What is not on the page at once does not come.
    page.setDefaultTimeout(10_000);
    await page.goto(`${laptop.url}/spend`);
    await check(question, () => answer({ page, url: laptop.url, books }));
    await page.close();
  }
}

async function spent({ page, books }: Asked): Promise<void> {
  const month = books.charges.filter(({ day }) => day.startsWith(books.today.slice(0, 7)));
  same('Spent this month', await tile(page, 'Spent this month'), figure(sumOf(month)));
  for (const heading of ['By operation', 'By purpose', 'By outcome']) {
    const panel = page
      .locator('section', { has: page.getByRole('heading', { name: heading, exact: true }) })
      .last();
    same(heading, await panel.locator('tfoot td').nth(1).textContent(), figure(sumOf(month)));
  }
}

async function brought({ page }: Asked): Promise<void> {
  like('Match rate', await tile(page, 'Match rate'), /^\d{1,3}%$/);
  like('Cost per filled record', await tile(page, 'Cost per filled record'), /^\d+\.\d\d$/);
  like('Refresh found', await note(page, 'Refresh found'), /^records changed, of \d+ refreshed in \w+ \d{4}/);
}

async function waits({ page, books }: Asked): Promise<void> {
  const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Waiting records' }) });
  // The laptop lives on: whatever waits for its turn may have had it by now, but for what no budget is left.
  const imports = books.waiting.filter(({ purpose }) => purpose === 'import');
  same('what waits in masses', String(imports.length), '1');
  const row = panel.locator('tbody tr', { hasText: 'Imports' });
  like('imports that wait', await wordsOf(row), new RegExp(`\\b${figure(imports[0]?.records ?? 0)}\\b`));
  await page.getByRole('link', { name: 'Waiting records' }).click();
  const first = page.getByRole('region', { name: 'Each waiting record' }).locator('tbody tr').first();
  like('why it waits', await wordsOf(first), /[Bb]udget|queued behind|starts now/);
}

async function left({ page }: Asked): Promise<void> {
  like('Balance', await note(page, 'Balance'), /of [\d,]+ bought/);
  like('Forecast', await tile(page, 'Forecast of the month'), /^[\d,]+$/);
}

/** Of a day without charges there is nothing to see; then the last one with some is asked about. */
async function chargedOnDay({ page, books }: Asked): Promise<void> {
  const days = [...new Set(books.charges.map(({ day }) => day))].sort();
  const day = days.findLast((each) => each.endsWith('-14')) ?? days.at(-1) ?? '';
  const charges = books.charges.filter((charge) => charge.day === day);
  await page.locator('input[name=from]').fill(day);
  await page.locator('input[name=to]').fill(day);
  await page.getByRole('button', { name: 'Show' }).click();
  await page
    .getByRole('link', { name: /charges?: in all$/ })
    .first()
    .click();
  like(
    'the heading',
    await page.locator('#total').textContent(),
    new RegExp(`^Total: ${figure(sumOf(charges))} credits? in ${figure(charges.length)} charges?$`),
  );
  const row = page.getByRole('region', { name: 'Charges' }).locator('tbody tr').first();
  like('the reason', await wordsOf(row), /Imports|New and changed records|refresh|Backfill|request/i);
  await row.getByRole('link').first().click();
  like('the record', await page.locator('main').textContent(), /credits?/);
}
