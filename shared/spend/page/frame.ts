import { type Html, html } from '#shared/kernel';
import { PAGE_STYLE } from './page-style.ts';

/** A view's content, for the page and for the dashboard's widget. */
export interface Shown {
  readonly heading: string;
  /** Follows the heading in the title of the page. */
  readonly of: string;
  /** Stands under the heading. */
  readonly about: Html;
  /** Links to other views. */
  readonly nav: Html;
  readonly main: Html;
  readonly footer?: Html | undefined;
}

/** Renders one self-contained HTML document: no script, no font, no picture, no other file. */
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
