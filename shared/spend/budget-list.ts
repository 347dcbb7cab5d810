import type { BudgetState } from '#shared/credit-ledger';
import { figure, fromNow, type Html, html, instant, percent } from '#shared/kernel';
import { budgetLabel } from './page/labels.ts';
import type { SpendReport } from './report.ts';

/** Marks on a budget's bar, as shares of its limit. When the second mark is reached, the bar changes its colour. */
const BUDGET_MARKS = [0.5, 0.8, 1] as const;
const NEARLY_USED = BUDGET_MARKS[1];

/** Lists every budget with its remaining credits and its next reset. */
export function budgetList({ budgets, generatedAtMs, timeZone }: SpendReport): Html {
  return html`<section class="panel" aria-labelledby="budgets">
<div class="head"><h2 id="budgets">Budgets</h2><p class="muted">credits; used are those spent, under way and in doubt</p></div>
${
  budgets.length === 0
    ? html`<p id="no-budget">No budget is set. Without a budget for all spend, nothing is spent.</p>`
    : html`<ul class="budgets">${budgets.map((budget) => budgetItem(budget, { nowMs: generatedAtMs, timeZone }))}</ul>`
}
</section>`;
}

function budgetItem(state: BudgetState, { nowMs, timeZone }: { nowMs: number; timeZone: string }): Html {
  const { budget, limitCredits, usedCredits, keptCredits, resetsAtMs } = state;
  const reserved = keptCredits ? `; ${figure(keptCredits)} reserved for new leads` : '';
  const share = shareUsed(state);
  const resetWords = `resets ${fromNow(resetsAtMs - nowMs)}, ${instant(resetsAtMs, timeZone)}`;
  const passedMark = BUDGET_MARKS.findLast((markWords) => share >= markWords);
  const markWords = passedMark === undefined || passedMark === 1 ? '' : `, past ${percent(passedMark)}`;
  const usedWords =
    limitCredits > 0
      ? `${figure(usedCredits)} of ${figure(limitCredits)} used (${percent(share)})${markWords}`
      : `${figure(usedCredits)} used; nothing may be spent`;
  return html`<li data-budget="${budget}">
<div class="head"><h3>${budgetLabel(budget)}</h3><p>${remainingWords(state)}</p></div>
<svg class="meter ${level(share)}" viewBox="0 0 100 1" preserveAspectRatio="none" role="img" aria-label="${usedWords}"><rect class="track" width="100" height="1"/><rect class="fill" width="${Math.min(100, Math.round(share * 1000) / 10)}" height="1"/>${MARKS}</svg>
<div class="head muted"><p>${usedWords}${reserved}</p><p>${resetWords}</p></div>
</li>`;
}

const MARKS = html`<path class="mark" d="${BUDGET_MARKS.filter((mark) => mark < 1)
  .map((mark) => `M${mark * 100} 0V1`)
  .join('')}"/>`;

function remainingWords({ leftCredits }: BudgetState): Html {
  if (leftCredits < 0) return html`<b class="bad">${figure(-leftCredits)}</b> over`;
  if (leftCredits === 0) return html`<b class="bad">used up</b>`;
  return html`<b>${figure(leftCredits)}</b> left`;
}

function shareUsed({ usedCredits, limitCredits }: BudgetState): number {
  return limitCredits > 0 ? usedCredits / limitCredits : 1;
}

function level(share: number): string {
  if (share >= 1) return 'full';
  return share >= NEARLY_USED ? 'nearly' : 'calm';
}
