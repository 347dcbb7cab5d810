import type { Browser, Locator, Page } from 'playwright-core';
import { type Books, readBooks } from './books.ts';
import type { Check } from './checks.ts';
import type { Laptop } from './laptop.ts';
import { figure, figureAt, like, same, sumOf, wordsOf } from './page-texts.ts';

const MOST_ACTIONS = 3;

/** The spend page of a person whose actions are counted. */
interface Visit {
  readonly page: Page;
  readonly books: Books;
  readonly lastMonth: { readonly month: string; readonly name: string };
  /** Clicks a control. One action. */
  readonly click: (target: Locator) => Promise<void>;
  /** Fills a field. One action. */
  readonly fill: (target: Locator, value: string) => Promise<void>;
}

const QUESTIONS: Readonly<Record<string, (visit: Visit) => Promise<void>>> = {
  'What did last week cost, and which records?': costOfLastWeek,
  'What did imports cost, and what did a filled field cost?': costOfImports,
  'Why did spending stop on a past day?': pastStop,
  'Which records wait, and until when?': waits,
  'Do the books equal the bill?': balance,
  'What will the month cost?': forecast,
  'Which sources match, and which waste credits?': sources,
  'What is the statement of last month?': statement,
};

/** Answers each question from the spend page in at most three actions. */
export async function answerInThreeActions(
  browser: Browser,
  { laptop, check }: { readonly laptop: Laptop; readonly check: Check },
): Promise<void> {
  const books = await readBooks(laptop);
  for (const [question, answer] of Object.entries(QUESTIONS))
    await check(`In ${MOST_ACTIONS} actions: ${question}`, () => visit(browser, { laptop, books, answer }));
}

async function visit(
  browser: Browser,
  wish: { readonly laptop: Laptop; readonly books: Books; readonly answer: (visit: Visit) => Promise<void> },
): Promise<void> {
  const { laptop, books, answer } = wish;
  const page = await browser.newPage({ viewport: { width: 1_400, height: 900 }, javaScriptEnabled: false });
  page.setDefaultTimeout(10_000);
  let actions = 0;
  const counting = (act: () => Promise<void>) => {
    actions += 1;
    return act();
  };
  try {
    await page.goto(`${laptop.url}/spend`);
    await answer({
      page,
      books,
      lastMonth: monthBefore(books.today),
      click: (target) => counting(() => target.click()),
      fill: (target, value) => counting(() => target.fill(value)),
    });
  } finally {
    await page.close();
  }
  if (actions > MOST_ACTIONS) throw new Error(`It took ${actions} actions.`);
}

async function costOfLastWeek({ page, books, click }: Visit): Promise<void> {
  await pickRange({ page, click }, 'Last week');
  const range = new URL(page.url()).searchParams;
  const [from, to] = [range.get('from') ?? '', range.get('to') ?? ''];
  const isMonday = new Date(`${from}T00:00:00Z`).getUTCDay() === 1;
  if (!isMonday || to >= books.today) throw new Error(`Last week is ${from} to ${to}.`);
  const charges = books.charges.filter(({ day }) => day >= from && day <= to);
  same('its credits', await figureAt(page, 'spent'), figure(sumOf(charges)));
  await click(page.getByRole('link', { name: /^Total: / }));
  like(
    'a lookup',
    await wordsOf(rowsOf(page, 'Paid lookups').first()),
    /^(?:Contact|Company) \d+ .*lookup|profile/,
  );
}

async function costOfImports(visit: Visit): Promise<void> {
  const row = await rowOrLastMonth(
    visit,
    rowsOf(visit.page, 'Results by purpose').filter({ hasText: 'Imports' }),
  );
  like('imports', await wordsOf(row), /^Imports [\d,]+ [\d,]+ \d+% [\d,]+ [\d,]+ \d+\.\d\d$/);
}

async function pastStop(visit: Visit): Promise<void> {
  const { page, click } = visit;
  const stops = page.locator('[data-table=stops] tbody tr');
  const row = await rowOrLastMonth(visit, stops.filter({ hasText: 'refuses the API key' }));
  await click(page.getByText('Show as table'));
  await row.waitFor();
  like('the stop', await wordsOf(row), /\d+ \w{3} \d{4}, \d\d:\d\d .*The data service refuses the API key\./);
}

async function waits({ page, click }: Visit): Promise<void> {
  await click(page.getByRole('link', { name: /^Waiting: / }));
  const row = rowsOf(page, 'Each waiting record').first();
  like('why and until when', await wordsOf(row), /[Bb]udget|queued behind|starts now/);
  like('the end', await row.locator('td').nth(3).textContent(), /\d \w{3} \d{4}, \d\d:\d\d|its turn/);
}

async function balance({ page, fill, click }: Visit): Promise<void> {
  const shown = (await figureAt(page, 'balance')) ?? '';
  await click(page.getByText('Compare with the data service'));
  await fill(page.getByLabel('Balance on its dashboard'), shown.replaceAll(',', ''));
  await click(page.getByRole('button', { name: 'Compare' }));
  like('the comparison', await page.getByRole('status').textContent(), /The books agree|more than|less than/);
}

async function forecast({ page }: Visit): Promise<void> {
  like('the forecast', await figureAt(page, 'forecast'), /^[\d,]+$/);
}

async function sources(visit: Visit): Promise<void> {
  await visit.click(visit.page.getByRole('link', { name: 'by source' }));
  const row = await rowOrLastMonth(visit, rowsOf(visit.page, 'Results by source').first());
  like('a source', await wordsOf(row), /^\D+ [\d,]+ [\d,]+ (?:\d+%)? [\d,]+/);
}

async function statement({ page, books, lastMonth, click }: Visit): Promise<void> {
  await click(page.getByRole('link', { name: lastMonth.name, exact: true }).first());
  await click(page.getByText('Export'));
  await click(page.getByRole('link', { name: `Statement of ${lastMonth.name}` }));
  const credits = sumOf(books.charges.filter(({ day }) => day.startsWith(lastMonth.month)));
  const row = rowsOf(page, `Statement of ${lastMonth.name}`).filter({ hasText: 'in all' });
  same('the spent credits', await row.locator('td').last().textContent(), figure(credits));
}

/** Opens the menu of ranges, and picks one. Two actions. */
async function pickRange({ page, click }: Pick<Visit, 'page' | 'click'>, name: string): Promise<void> {
  await click(page.locator('.range summary'));
  await click(page.getByRole('link', { name }));
}

/** On the first days of a month, this month may have no such row. Then one click leads to the last month. */
async function rowOrLastMonth({ page, lastMonth, click }: Visit, rows: Locator): Promise<Locator> {
  if ((await rows.count()) === 0)
    await click(page.getByRole('link', { name: lastMonth.name, exact: true }).first());
  return rows.first();
}

function rowsOf(page: Page, label: string): Locator {
  return page.getByRole('region', { name: label, exact: true }).locator('tbody tr');
}

function monthBefore(today: string): Visit['lastMonth'] {
  const at = new Date(`${today.slice(0, 7)}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() - 1);
  const name = at.toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return { month: at.toISOString().slice(0, 7), name };
}
