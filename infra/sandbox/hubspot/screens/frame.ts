import { type Html, html } from '../../../../shared/kernel/index.ts';
import { ApiError } from '../http.ts';
import { readValue } from '../records.ts';
import type { ObjectTypeId, Portal, StoredRecord } from '../state.ts';
import type { AppPlace, SandboxActions } from '../verbs.ts';

export const SCREENS = '/screen';

const PLACES = [
  { path: 'home', name: 'Enrichment' },
  { path: 'contacts', name: 'Contacts' },
  { path: 'companies', name: 'Companies' },
  { path: 'workflow', name: 'Workflow' },
] as const;

interface Screen {
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

/** A request for a page, or a form that a page sends. */
export interface Visit {
  readonly portal: Portal;
  readonly actions: SandboxActions;
  readonly query: URLSearchParams;
  /** Data of the form. Absent for a `GET`. */
  readonly form: FormData | undefined;
}

export interface TypeVisit extends Visit {
  readonly typeId: ObjectTypeId;
}

export interface RecordVisit extends TypeVisit {
  readonly record: StoredRecord;
}

/** The text in a field of the form. A file gives an empty text. */
export function fieldOf({ form }: Visit, name: string): string {
  const value = form?.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

export function recordName(portal: Portal, record: StoredRecord): string {
  const values = (names: readonly string[]) => names.map((name) => readValue(portal, { record, name }));
  const [first, last, email] = values(['firstname', 'lastname', 'email']);
  const [name, domain] = values(['name', 'domain']);
  const known = record.typeId === '0-1' ? `${first} ${last}`.trim() || email : name || domain;
  return known || `No name (${record.id})`;
}

/** Reasons why a value was refused, for a person. @throws the error itself if it is of another kind. */
export function problemsOf(error: unknown): readonly string[] {
  if (!(error instanceof ApiError)) throw error;
  const { errors, message } = error.failure;
  return errors?.map((each) => each.message) ?? [message];
}

/** Style of all pages. Colours have a contrast of at least 4.5 to 1 for text, and 3 to 1 for borders of inputs. */
const SCREEN_STYLE = `
:root {
  color-scheme: light dark;
  --page: #f5f8fa; --panel: #ffffff; --text: #1c2b3a; --muted: #516073; --line: #cbd6e2; --input: #6b7c91;
  --link: #00607a; --action: #a83a08; --on-action: #ffffff;
  --bar: #00a38d; --bar-warn: #f2a100; --info: #e5f5f8; --good: #dff3ea; --warn: #fdf1dc; --bad: #fdeaea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14191f; --panel: #1d242c; --text: #e8edf2; --muted: #a9b6c4; --line: #3a4653; --input: #8494a6;
    --link: #7fd3ea; --action: #ffa27a; --on-action: #2b1004;
    --bar: #2bc0a9; --bar-warn: #f5b93d; --info: #12343d; --good: #153a2b; --warn: #40310f; --bad: #471d1d;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 0.9375rem/1.5 system-ui, sans-serif; }
header, main { max-width: 82rem; margin: 0 auto; padding: 1rem 1.5rem; }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 2rem; align-items: center; justify-content: space-between; }
nav, .row { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
nav a { padding: 0.375rem 0.75rem; text-decoration: none; border-radius: 4px; }
nav a[aria-current] { background: var(--panel); font-weight: 600; box-shadow: inset 0 -2px var(--action); }
h1 { font-size: 1.5rem; margin: 0 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.0625rem; margin: 0; } p { margin: 0; }
a { color: var(--link); } .muted { color: var(--muted); }
main > *, .stack > * { margin-bottom: 1rem; } .stack > :last-child { margin-bottom: 0; }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 1.25rem; min-width: 0; }
.record { display: grid; gap: 1rem; align-items: start; }
.record.tab { grid-template-columns: minmax(0, 1fr) minmax(0, 1.15fr); }
.record.sidebar { grid-template-columns: minmax(0, 1fr) 22rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
label { display: block; font-weight: 600; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: 1rem; }
input, select, textarea, button, .button {
  font: inherit; min-height: 2.25rem; padding: 0.3rem 0.625rem; border: 1px solid var(--input); border-radius: 4px;
  background: var(--panel); color: var(--text); max-width: 100%;
}
label + input, label + select, label + textarea { width: 100%; margin-top: 0.25rem; }
button, .button { color: var(--action); border-color: var(--action); cursor: pointer; text-decoration: none; display: inline-block; }
button.primary, .button.primary { background: var(--action); color: var(--on-action); font-weight: 600; }
button:disabled { opacity: 0.55; cursor: default; }
button.xs { min-height: 1.75rem; padding: 0.05rem 0.5rem; font-size: 0.875rem; }
.samples a, .links a, td a { display: inline-block; min-height: 1.5rem; }
ul { margin: 0; padding-left: 1.25rem; } .samples { columns: 2; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: 600; padding-bottom: 0.5rem; }
th, td { border-bottom: 1px solid var(--line); padding: 0.375rem 0.75rem 0.375rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { font-weight: 600; } tbody th { font-weight: 400; width: 30%; } td.source { color: var(--muted); font-size: 0.875rem; min-width: 10.5rem; }
thead th { overflow-wrap: normal; } .list td:nth-last-child(-n + 2) { white-space: nowrap; }
#card { overflow-x: auto; } #card th { overflow-wrap: normal; }
.row > select { flex: 1 1 12rem; width: auto; margin-top: 0; } .row > input { flex: 1 1 10rem; width: auto; margin-top: 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.Flex { display: flex; flex-flow: column nowrap; align-items: stretch; gap: 0.5rem; min-width: 0; }
.Flex.row { flex-direction: row; align-items: center; column-gap: 0.75rem; } .Flex.wrap { flex-wrap: wrap; }
.Flex > button, .Flex > a, .Flex > .StatusTag, .Flex > .Tag { align-self: flex-start; } .Flex.row > * { align-self: center; }
.justify-between { justify-content: space-between; } .justify-end { justify-content: flex-end; }
.Box { min-width: 0; } .Box.flex-1 { flex: 1 1 18rem; } .Box.flex-none { flex: none; max-width: 100%; }
.bold, .demibold { font-weight: 600; } .microcopy { color: var(--muted); font-size: 0.8125rem; }
.Heading { font-size: 1.125rem; }
.Tile { border: 1px solid var(--line); border-radius: 6px; padding: 1.25rem 1.5rem; background: var(--panel); }
.Tile.compact { padding: 0.5rem 1rem; } .Tile.compact > .Flex { padding: 0.5rem 0; } .Tile.compact hr { margin: 0; }
.Tile.compact .Flex .Flex .Flex + hr, .Tile.compact .Flex > hr { margin: 0.125rem 0; }
.Tile.compact > .Flex > .Flex + .Flex { margin-left: 2.25rem; }
.Statistics { display: flex; flex-wrap: wrap; gap: 1rem 0; } .StatisticsItem { flex: 1 1 9.5rem; display: grid; padding: 0 1rem; }
.StatisticsItem + .StatisticsItem { border-left: 1px solid var(--line); } .StatisticsItem:first-child { padding-left: 0; }
.StatisticsItem strong { font-size: 1.75rem; line-height: 1.25; } .StatisticsItem small { color: var(--muted); }
.ProgressBar { display: flex; align-items: center; gap: 0.625rem; white-space: nowrap; }
progress { appearance: none; border: 0; height: 0.5rem; width: 9rem; border-radius: 4px; overflow: hidden; background: var(--line); }
progress::-webkit-progress-bar { background: var(--line); } progress::-webkit-progress-value { background: var(--bar); }
progress::-moz-progress-bar { background: var(--bar); }
.ProgressBar.warning progress::-webkit-progress-value { background: var(--bar-warn); }
.PageHeader { display: flex; gap: 0.5rem; width: fit-content; margin-left: auto; }
.DescriptionList { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 0; } .DescriptionList.column { display: grid; }
.DescriptionListItem dt { color: var(--muted); font-size: 0.8125rem; } .DescriptionListItem dd { margin: 0; }
.Accordion { border: 1px solid var(--line); border-radius: 6px; padding: 0.625rem 1rem; } summary { cursor: pointer; font-weight: 600; min-height: 1.5rem; }
.Accordion > * + * { margin-top: 0.5rem; }
.Alert, .EmptyState, .ErrorState { border: 1px solid var(--line); border-left: 4px solid var(--link); background: var(--info); padding: 0.75rem 1rem; border-radius: 4px; }
.Alert > * + *, .EmptyState > * + *, .ErrorState > * + * { margin-top: 0.5rem; }
.Alert.warning { background: var(--warn); border-left-color: var(--bar-warn); } .Alert.success { background: var(--good); border-left-color: var(--bar); }
.Alert.error, .Alert.danger, .ErrorState { background: var(--bad); }
button.sm, button.xs { min-height: 1.875rem; padding: 0.1rem 0.625rem; font-size: 0.875rem; } button.destructive { background: var(--action); color: var(--on-action); }
button.transparent { border-color: transparent; color: var(--link); background: none; min-width: 1.75rem; }
.StatusTag { white-space: nowrap; font-weight: 600; }
.StatusTag::before { content: ""; display: inline-block; width: 0.5rem; height: 0.5rem; border-radius: 50%; margin-right: 0.5rem; background: var(--muted); }
.StatusTag.success::before { background: var(--bar); } .StatusTag.warning::before { background: var(--bar-warn); }
.StatusTag.danger::before { background: #d93644; } .StatusTag.info::before { background: #3b7ddd; }
.Tag { border-radius: 3px; padding: 0 0.4rem; font-size: 0.8125rem; font-weight: 600; background: var(--info); border: 1px solid var(--line); white-space: nowrap; }
.Tag.error { background: var(--bad); } .Tag.warning { background: var(--warn); }
.Checkbox { display: inline-flex; align-items: center; gap: 0.375rem; font-weight: 400; }
.Checkbox input { width: 1.5rem; min-height: 1.5rem; margin: 0; }
hr { border: 0; border-top: 1px solid var(--line); width: 100%; }
#card table { border: 1px solid var(--line); border-radius: 6px; border-collapse: separate; border-spacing: 0; } #card tr:last-child td { border-bottom: 0; }
#card th, #card td { padding: 0.5rem 0.75rem; vertical-align: middle; } #card thead { background: var(--page); } #card .align-right { text-align: right; }
#card .condensed th, #card .condensed td { padding: 0.3rem 0.75rem; }
@media (max-width: 60rem) { .record.tab, .record.sidebar { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 36rem) {
  header, main { padding: 0.75rem 0.875rem; } .panel { padding: 0.875rem; } .samples { columns: 1; }
  .stacked thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .stacked tr { display: block; border-bottom: 1px solid var(--line); padding: 0.5rem 0; }
  .stacked th, .stacked td { display: block; border: 0; padding: 0; width: auto; }
  .Tile { padding: 0.75rem; } .Tile.compact > .Flex > .Flex + .Flex { margin-left: 0.5rem; }
  .StatisticsItem { flex-basis: 8rem; padding: 0; } .StatisticsItem + .StatisticsItem { border-left: 0; }
  #card thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  #card tr { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: 0.5rem 0; border-bottom: 1px solid var(--line); } #card tr:last-child { border-bottom: 0; }
  #card td { display: block; border: 0; padding: 0 0.75rem; width: auto; }
  #card td[data-head]::before { content: attr(data-head) ' '; color: var(--muted); font-size: 0.8125rem; } #card td:empty { display: none; }
}
`;
