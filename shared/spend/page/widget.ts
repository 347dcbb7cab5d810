import { type Html, html } from '#shared/kernel';
import { COMPONENTS, DARK, LIGHT, scoped } from './component-style.ts';
import type { Shown } from './frame.ts';

/** Everything of ours is inside of it, and no rule of ours reaches out of it: the console is around it. */
const ROOT = '.credit-spend';

/** Rules for the widget's own frame, whose width is the dashboard's choice. */
const FRAME = `
${ROOT} { padding: 0.25rem; color: var(--text); font-size: 0.875rem; line-height: 1.5; font-variant-numeric: tabular-nums; display: grid; gap: 1rem; }
${ROOT} * { box-sizing: border-box; }
`;

/**
 * A view as HTML for a CloudWatch dashboard: no script, no other file. The console puts it into its own page and takes its
 * default style away where it finds the class `cwdb-no-default-styles`.
 */
export function widgetOf({ heading, about, nav, main }: WidgetContent, theme: 'light' | 'dark'): string {
  return html`<style>${style(theme)}</style>
<div class="credit-spend cwdb-no-default-styles">
<div class="head"><p class="muted"><b>${heading}</b> · ${about}</p><p class="ways">${nav}</p></div>
${main}
</div>
`.markup;
}

type WidgetContent = Pick<Shown, 'heading' | 'about' | 'nav' | 'main'>;

/** Constants only, so nothing needs escaping. */
function style(theme: 'light' | 'dark'): Html {
  const colours = `${ROOT} { color-scheme: ${theme}; ${theme === 'dark' ? DARK : LIGHT} }`;
  return { markup: `${colours}${FRAME}${scoped(COMPONENTS, ROOT)}` };
}
