import { type Html, html } from '../../../../shared/kernel/index.ts';
import type { AppPlace } from '../extensions/script.ts';
import type { Portal } from '../portal.ts';
import { SCREEN_STYLE } from './screen-style.ts';

/** Path of all pages. */
export const SCREENS = '/screen';

/** The pages in the navigation, in order. */
const PLACES = [
  { path: 'home', name: 'Enrichment' },
  { path: 'contacts', name: 'Contacts' },
  { path: 'companies', name: 'Companies' },
  { path: 'workflow', name: 'Workflow' },
] as const;

export interface Screen {
  readonly title: string;
  /** The entry in the navigation that the page belongs to. */
  readonly place: (typeof PLACES)[number]['path'];
  readonly main: Html;
  /** 200 by default. */
  readonly status?: number;
}

/** Allows only this server's own style and script, so that markup in a value cannot run code. */
const POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'connect-src', 'form-action'].map((what) => `${what} 'self'`),
  ...['base-uri', 'frame-ancestors'].map((what) => `${what} 'none'`),
].join('; ');

export function screenResponse(portal: Portal, { title, place, main, status = 200 }: Screen): Response {
  const links = PLACES.map(({ path, name }) =>
    path === place
      ? html`<a href="${SCREENS}/${path}" aria-current="page">${name}</a>\n`
      : html`<a href="${SCREENS}/${path}">${name}</a>\n`,
  );
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}, HubSpot stand-in</title>
<link rel="stylesheet" href="${SCREENS}/style.css">
</head>
<body>
<header>
<p><strong>HubSpot stand-in</strong> <span class="muted">account ${portal.state.settings.portalId}, nothing here is real</span></p>
<nav aria-label="Account">
${links}</nav>
</header>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`;
  return typed('text/html', markup, status);
}

export function styleResponse(): Response {
  return typed('text/css', SCREEN_STYLE);
}

export function typed(type: string, body: string, status = 200): Response {
  const headers = {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    // Without a referrer, a page's form would send the origin "null".
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  };
  return new Response(body, { status, headers });
}

/** Markup for the app: data about the page, and the app's script. */
export function appHtml(place: AppPlace, page: object): Html {
  return html`<div id="card"></div>
<script type="application/json" id="page">${{ markup: JSON.stringify(page).replaceAll('<', '\\u003c') }}</script>
<script type="module" src="${SCREENS}/${place}.js"></script>`;
}

/** Answers a form. The browser then loads another page, so that a reload does not send the form twice. */
export function seeOther(path: string): Response {
  return new Response(null, { status: 303, headers: { location: `${SCREENS}/${path}` } });
}

export function alertOf(problems: readonly string[]): Html | undefined {
  if (problems.length === 0) return undefined;
  return html`<div class="Alert danger" role="alert">${problems.map((problem) => html`<p>${problem}</p>`)}</div>`;
}

/** Formats a time in the account's time zone. `long` has the seconds and names the zone. */
export function shownTime({ state }: Portal, time: number, timeStyle: 'short' | 'long' = 'short'): string {
  const { timeZone } = state.settings;
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle, timeZone }).format(time);
}
