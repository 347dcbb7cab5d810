import { type Statement, statementTable } from '#shared/credit-ledger';
import {
  command,
  counted,
  figure,
  html,
  instant,
  longMonth,
  type Wording,
  wording,
  wordingText,
} from '#shared/kernel';
import { billOf } from '../compare-balance.ts';
import type { SpendReport } from '../report.ts';
import type { Links, Shown } from './frame.ts';
import { dataTable, label, moneyFor } from './tables.ts';

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
  const money = price ? [{ words: 'Money', isNumber: true, line: 2 } as const] : [];
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
    { words: 'Detail', line: 2 },
    { words: 'Count', isNumber: true },
    { words: 'Credits', isNumber: true, line: 1 },
    ...money,
  ],
  rows,
})}
${statementNotes(statement).map((note) => html`<p class="muted proof">${wordingText(note, links.stack)}</p>`)}
</section>`,
  };
}

function sentenceCase(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Says what the bill of the month can be, explains the figures, and names the entries that prove them. */
export function statementNotes({
  balance,
  spent,
  doubts,
  underWay,
  expired,
  first,
  last,
  entries,
  month,
}: Statement): Wording[] {
  const { count, credits } = spent.ofEarlierMonths;
  return [
    billOf({
      chargedCredits: spent.credits,
      pendingCredits: underWay.credits,
      doubtfulCredits: doubts.after.credits,
    }).words,
    ...(balance
      ? []
      : [
          wording`No purchase of credits is booked, so there is no balance. To book one: ${command('ledger grant')}`,
        ]),
    ...(count > 0
      ? [
          `${counted(credits, 'credit')} were requested in an earlier month. The spend page shows them in that month.`,
        ]
      : []),
    ...expired.map(
      ({ day, credits: bought, unusedCredits }) =>
        wording`Of ${counted(bought, 'credit')} that expired after ${day}, ${figure(unusedCredits)} or more were unused. The balance includes them until you run ${command('ledger reconcile')}`,
    ),
    ...(first && last
      ? [
          `Ledger entries ${first.seq} (${first.hash}) to ${last.seq} (${last.hash}): ${figure(entries)} in all.`,
        ]
      : ['Nothing was booked.']),
    wording`To prove it: ${command(`statement ${month} --json`)} > statement.json, ${command('ledger export --json')} > ledger.jsonl,`,
    'and then, on any machine with these files: ledger verify ledger.jsonl --statement statement.json',
  ];
}
