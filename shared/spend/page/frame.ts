import { type Html, html } from '#shared/kernel';
import { PAGE_STYLE } from './page-style.ts';

/** What there is to see, wherever it is shown. */
export interface Shown {
  readonly heading: string;
  /** After the heading in the title of a page. */
  readonly of: string;
  /** Under the heading. */
  readonly about: Html;
  /** Where one may go from here. */
  readonly nav: Html;
  readonly main: Html;
  readonly footer?: Html | undefined;
}

/** One HTML document that needs nothing else: no script, no font, no picture, no other file. */
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
