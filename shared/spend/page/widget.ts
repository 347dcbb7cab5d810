import { instant, longMonth } from '../figures.ts';
import type { SpendReport } from '../report.ts';
import { COMPONENTS, DARK, LIGHT, scoped } from './component-style.ts';
import { type Html, html } from './html.ts';
import { serviceBadge } from './notices.ts';
import { spendSections } from './sections.ts';

/** Everything of ours is inside of it, and no rule of ours reaches out of it: the console is around it. */
const ROOT = '.credit-spend';

/** Rules for the widget's own frame, whose width is the dashboard's choice. */
const FRAME = `
${ROOT} { padding: 0.25rem; color: var(--text); font-size: 0.875rem; line-height: 1.5; font-variant-numeric: tabular-nums; display: grid; gap: 1rem; }
${ROOT} * { box-sizing: border-box; }
`;

/**
 * The report as HTML for a CloudWatch dashboard: no script, no link, no other file. The console puts it into its own
 * page and takes its default style away where it finds the class `cwdb-no-default-styles`.
 */
export function spendWidget(report: SpendReport, theme: 'light' | 'dark'): string {
  return html`<style>${style(theme)}</style>
<div class="credit-spend cwdb-no-default-styles">
<p class="muted">${serviceBadge(report)} ${longMonth(report.month)} · account ${report.account} · as of ${instant(report.generatedAtMs, report.timeZone)} (${report.timeZone})</p>
${spendSections(report)}
</div>
`.markup;
}

/** Constants only, so nothing needs escaping. */
function style(theme: 'light' | 'dark'): Html {
  const colours = `${ROOT} { color-scheme: ${theme}; ${theme === 'dark' ? DARK : LIGHT} }`;
  return { markup: `${colours}${FRAME}${scoped(COMPONENTS, ROOT)}` };
}
