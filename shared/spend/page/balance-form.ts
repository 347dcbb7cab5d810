import { figure, type Html, html, wordingText } from '#shared/kernel';
import { compareBalance } from '../compare-balance.ts';
import { type RefusedQuery, refusedQuery } from '../query-refusals.ts';
import type { SpendReport } from '../report.ts';
import type { Query } from '../selection.ts';
import { commandCode, type Links } from './links.ts';

/** Reads `balance`, the credits on the data service's dashboard. An empty value counts as absent. */
export function parseBalance({
  balance,
}: Query): { readonly kind: 'balance'; readonly balance?: number } | RefusedQuery {
  if (!balance) return { kind: 'balance' };
  if (!/^\d{1,12}$/.test(balance)) return refusedQuery('not-credits', { parameter: 'balance' });
  return { kind: 'balance', balance: Number(balance) };
}

/** Compares the ledger with a balance that a person types. Stores nothing. Absent if no bought credits are booked. */
export function balanceForm(
  report: SpendReport,
  balance: number | undefined,
  links: Links,
): Html | undefined {
  if (report.balanceCredits === undefined) return undefined;
  const value = balance === undefined ? undefined : html` value="${balance}"`;
  const fields = html`<label>Balance on its dashboard <input name="balance" inputmode="numeric" pattern="[0-9]{1,12}"${value} required></label>
`;
  return html`<section class="panel" aria-labelledby="compare">
<h2 id="compare">Compare with the data service</h2>
${links.form('spend', { fields, button: 'Compare' })}
${balance === undefined ? undefined : compared(report, balance, links)}
</section>`;
}

function compared(report: SpendReport, balance: number, links: Links): Html {
  const { balanceCredits: credits = 0, pendingCredits, doubtfulCredits, bookedDoubts } = report;
  const comparison = compareBalance({ credits, pendingCredits, doubtfulCredits, bookedDoubts }, balance);
  if (comparison.kind === 'equal')
    return html`<p role="status" data-code="equal">Both are ${figure(credits)}. The books agree.</p>`;
  const { code, words } = comparison;
  const status = html`<p role="status" data-code="${code}">${wordingText(words, links.stack)}.</p>`;
  if (comparison.kind === 'open') return status;
  return html`${status}
<p><b>What to do:</b> if the difference stays, copy this command into a terminal: ${commandCode(links, `ledger reconcile --balance ${balance}`)}
It compares again, asks you, and books the difference. This page only reads, because it does not ask who you are.</p>`;
}
