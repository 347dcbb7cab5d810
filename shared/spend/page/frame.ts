import { type Html, html } from '#shared/kernel';
import type { RefusedQuery } from '../selection.ts';
import type { Links } from './links.ts';
import { PAGE_STYLE, widgetStyle } from './style.ts';

/** A view's content, for the page and for the dashboard's widget. */
export interface Shown {
  readonly heading: string;
  /** Text after the heading in the title of the page. */
  readonly of: string;
  /** Text under the heading. */
  readonly about: Html;
  /** Links to other views. */
  readonly nav: Html;
  readonly main: Html;
}

/** Renders one HTML document that needs no script, font, picture or other file. */
export function framed({ heading, of, about, nav, main }: Shown): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${heading}, ${of}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<div>
<h1>${heading}</h1>
<p class="muted">${about}</p>
</div>
<nav class="ways" aria-label="Views and downloads">
${nav}
</nav>
</header>
<main>
${main}
</main>
</body>
</html>
`.markup;
}

/**
 * Renders a view as HTML for a CloudWatch dashboard, without script or other files. The console inserts it into its own
 * page. The class `cwdb-no-default-styles` turns off the console's default style.
 */
export function widgetOf(
  { heading, about, nav, main }: Pick<Shown, 'heading' | 'about' | 'nav' | 'main'>,
  theme: 'light' | 'dark',
): string {
  return html`<style>${widgetStyle(theme)}</style>
<div class="credit-spend cwdb-no-default-styles">
<div class="head"><p class="muted"><b>${heading}</b> · ${about}</p><div class="ways">${nav}</div></div>
${main}
</div>
`.markup;
}

const KINDS = {
  /** The address or the form is wrong. */
  refused: { title: 'Refused', about: 'This filter cannot be shown.' },
  /** The tables cannot be read. The problem says what to do. */
  unavailable: { title: 'Unavailable', about: 'The figures cannot be read now.' },
} as const;

/** Shows the problem. For a refused filter, also shows a link back, and its code and parameter for scripts. */
export function refusalView(refused: RefusedQuery | string, links: Links): Shown {
  const { kind, problem } =
    typeof refused === 'string' ? ({ kind: 'unavailable', problem: refused } as const) : refused;
  const { title, about } = KINDS[kind];
  const advice = html`<p><b>What to do:</b> go back to ${links.to('spend', {}, { words: 'this month' })}, and choose again.</p>`;
  return {
    heading: 'Credit spend',
    of: kind,
    about: html`${about}`,
    nav: links.to('spend', {}, { words: 'Credit spend' }),
    main: html`<section class="panel" aria-labelledby="${kind}">
<h2 id="${kind}">${title}</h2>
<p${typeof refused === 'string' ? undefined : html` data-code="${refused.code}" data-parameter="${refused.params.parameter}"`}>${problem}</p>
${kind === 'refused' ? advice : undefined}
</section>`,
  };
}
