import { type Statement, statementTable } from '#shared/credit-ledger';
import { counted, figure, type Html, html, instant, longMonth } from '#shared/kernel';
import type { SpendReport } from '../report.ts';
import type { Shown } from './frame.ts';
import type { Links } from './links.ts';
import { dataTable } from './tables.ts';
import { label, moneyFor } from './words.ts';

export interface StatementPage {
  readonly statement: Statement;
  readonly creditPrice: SpendReport['creditPrice'] | undefined;
  readonly nowMs: number;
  readonly timeZone: string;
}

/** Shows a month's statement for print: balances, purchases, spending, doubts and proof. In money if the price is known. */
export function statementView(
  { statement, creditPrice, nowMs, timeZone }: StatementPage,
  links: Links,
): Shown {
  const { month, account, soFar } = statement;
  const price = creditPrice && { creditPrice };
  const money = price ? [{ words: 'Money', isNumber: true } as const] : [];
  const rows = statementTable(statement).rows.map(([item, detail, count, credits]) => [
    sentenceCase(String(item)),
    label(String(detail ?? '')),
    typeof count === 'number' ? figure(count) : undefined,
    typeof credits === 'number' ? figure(credits) : undefined,
    price && typeof credits === 'number' ? moneyFor(credits, price).slice(2, -1) : undefined,
  ]);
  return {
    heading: `Statement of ${longMonth(month)}`,
    of: account,
    about: html`Account ${account} · by the day of booking${soFar && `, up to ${soFar}`} · printed ${instant(nowMs, timeZone)} (${timeZone})`,
    nav: html`${links.to('spend', { month }, { words: 'Credit spend' })}
${links.file('spend/statement.csv', { month }, 'Statement (CSV)')}`,
    main: html`<section class="panel" aria-label="Statement">
${dataTable({
  id: 'statement',
  label: `Statement of ${longMonth(month)}`,
  caption: price ? `Credits, and their money at ${moneyFor(1, price).slice(2, -1)} a credit` : 'Credits',
  columns: [
    { words: 'Item' },
    { words: 'Detail' },
    { words: 'Count', isNumber: true },
    { words: 'Credits', isNumber: true },
    ...money,
  ],
  rows,
})}
${notes(statement)}
</section>`,
  };
}

function sentenceCase(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Explains the figures, and names the entries that prove them. */
function notes({ balance, spent, expired, first, last, entries }: Statement): Html {
  const { count, credits } = spent.ofEarlierMonths;
  const texts = [
    ...(balance ? [] : ['No purchase of credits is booked, so there is no balance.']),
    ...(count > 0
      ? [
          `${counted(credits, 'credit')} were requested in an earlier month. The spend page shows them in that month.`,
        ]
      : []),
    ...expired.map(
      ({ day, credits: bought, unusedCredits }) =>
        `Of ${counted(bought, 'credit')} that expired after ${day}, ${figure(unusedCredits)} or more were unused.`,
    ),
    ...(first && last
      ? [
          `Ledger entries ${first.seq} (${first.hash}) to ${last.seq} (${last.hash}): ${figure(entries)} in all.`,
        ]
      : ['Nothing was booked.']),
  ];
  return html`${texts.map((text) => html`<p class="muted proof">${text}</p>`)}`;
}
