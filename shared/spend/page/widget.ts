import { type Html, html } from '#shared/kernel';
import { COMPONENTS, DARK, LIGHT, scoped } from './component-style.ts';
import type { Shown } from './frame.ts';

/**
 * Class of the widget's root element. All rules apply only inside this element, because the console's own page
 * surrounds it.
 */
const ROOT = '.credit-spend';

/** Layout rules of the widget. The dashboard determines its width. */
const FRAME = `
${ROOT} { padding: 0.25rem; color: var(--text); font-size: 0.875rem; line-height: 1.5; font-variant-numeric: tabular-nums; display: grid; gap: 1rem; }
${ROOT} * { box-sizing: border-box; }
`;

/**
 * Renders a view as HTML for a CloudWatch dashboard, without script or other files. The console inserts it into its own
 * page. The class `cwdb-no-default-styles` turns off the console's default style.
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

/** Returns the style sheet. It consists only of constants, so nothing needs escaping. */
function style(theme: 'light' | 'dark'): Html {
  const colours = `${ROOT} { color-scheme: ${theme}; ${theme === 'dark' ? DARK : LIGHT} }`;
  return { markup: `${colours}${FRAME}${scoped(COMPONENTS, ROOT)}` };
}
