import { type Html, html } from '#shared/kernel';
import { PAGE_STYLE } from './page-style.ts';

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
  readonly footer?: Html | undefined;
}

/** Renders one HTML document that needs no script, font, picture or other file. */
export function framed({ heading, of, about, nav, main, footer }: Shown): string {
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
<nav aria-label="Views and downloads">
${nav}
</nav>
</header>
<main>
${main}
</main>
${footer}
</body>
</html>
`.markup;
}
