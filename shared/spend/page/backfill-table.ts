import type { BackfillSummary } from '#shared/enrichment';
import { figure, figureRange, type Html, html, instant, percent } from '#shared/kernel';
import type { SpendReport } from '../report.ts';

/** Shows started backfills, newest first: their progress, their quote, and whether they stayed within it. */
export function backfillTable({ backfills = [], timeZone }: SpendReport): Html | undefined {
  if (backfills.length === 0) return undefined;
  const scored = backfills.flatMap(({ score }) => score ?? []);
  const withinRange = scored.filter(({ isInside }) => isInside).length;
  return html`<section class="panel" aria-labelledby="backfills">
<div class="head"><h2 id="backfills">Backfills</h2>${scored.length > 0 ? html`<p class="muted">${figure(withinRange)} of ${figure(scored.length)} stayed within their quote</p>` : undefined}</div>
<div class="scroll" role="region" aria-label="Backfills and their credits" tabindex="0"><table>
<caption>Credits: the likely range (it holds for nine in ten backfills), and the spent credits</caption>
<thead><tr><th scope="col">Records</th><th scope="col">Since</th><th scope="col">State</th><th scope="col" class="number">Done</th><th scope="col" class="number">Found</th><th scope="col" class="number">Likely</th><th scope="col" class="number">At most</th><th scope="col" class="number">Spent</th></tr></thead>
<tbody>${backfills.map((one) => row(one, timeZone))}</tbody>
</table></div>
</section>`;
}

function row(backfill: BackfillSummary, timeZone: string): Html {
  const { objectType, scope, createdAtMs, ended, records, matchRate, spent, quote } = backfill;
  const range = backfill.afterCanary ?? quote;
  const likely = range ? figureRange(range.low, range.high) : '';
  const found = matchRate === undefined ? '' : percent(matchRate);
  return html`<tr><th scope="row">${objectType}, ${scope}</th><td>${instant(createdAtMs, timeZone)}</td><td>${stateWords(backfill)}</td><td class="number">${figure(ended)} of ${figure(records)}</td><td class="number">${found}</td><td class="number">${likely}</td><td class="number">${quote ? figure(quote.worst) : ''}</td><td class="number">${figure(spent)}</td></tr>`;
}

function stateWords({ state, score, pause, holding: wait }: BackfillSummary): string {
  if (score) return `${state}, ${score.isInside ? 'inside' : 'outside'} its range`;
  if (pause) return `${state}: ${pause.reason}`;
  return wait ? `${state}; ${wait.reason}` : state;
}
