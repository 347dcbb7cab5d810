import { OBJECT_TYPE_ROWS, type RecordName, recordKey } from '#shared/crm';
import { commandText, type Html, html } from '#shared/kernel';
import type { Query, RefusedQuery } from '../selection.ts';

/**
 * Colours and rules that the page and the dashboard's widget share. In both colour schemes, text has a contrast of at
 * least 4.5 : 1 to its background, and bars of at least 3 : 1.
 */

export const LIGHT = `--page: #f5f6f8; --panel: #ffffff; --line: #e3e7ec; --track: #e6e9ee;
--text: #18212b; --muted: #566270; --accent: #2f55d4;
--live: #3b5bdb; --import: #cf6a0a; --backfill: #0b8091; --refresh: #7d8896; --workflow: #9c36b5; --manual: #d6336c;
--warn: #8f5a00; --bad: #c0362c; --hatch: #f0c9a0;`;

export const DARK = `--page: #0c1016; --panel: #161b23; --line: #2b3440; --track: #2b3440;
--text: #e7ebf0; --muted: #9ba7b4; --accent: #8fa8ff;
--live: #748ffc; --import: #f59f4c; --backfill: #3bb6c8; --refresh: #8a94a3; --workflow: #cc8cf5; --manual: #f783ac;
--warn: #e3a545; --bad: #f0857b; --hatch: #6b4a26;`;

const HATCH = 'repeating-linear-gradient(135deg, var(--hatch) 0 2px, transparent 2px 6px)';

/** One rule on each line, so that {@link scoped} can limit the rules to a part of a document. */
const COMPONENTS = `h1, h2, p, ul, dl, dd, figure { margin: 0; }
ul { list-style: none; padding: 0; }
h1 { font-size: 1.5rem; line-height: 1.2; letter-spacing: -0.02em; }
h2 { font-size: 1rem; letter-spacing: -0.01em; }
a { color: var(--accent); text-decoration: none; text-underline-offset: 0.15em; }
a:hover, p a { text-decoration: underline; }
code { font: 0.8125rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; user-select: all; }
.muted { color: var(--muted); font-size: 0.875rem; font-weight: 400; }
.proof { overflow-wrap: anywhere; margin-top: 0.5rem; }
.bad { color: var(--bad); }
.warn { color: var(--warn); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.badge { display: inline-block; margin-right: 0.25rem; border: 1px solid; border-radius: 0.375rem; padding: 0 0.375rem; font-size: 0.75rem; font-weight: 600; line-height: 1.125rem; }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 0.75rem; padding: 1.125rem 1.375rem; min-width: 0; }
.head { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; justify-content: space-between; align-items: baseline; }
.pair { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); align-items: start; }
.rows > li { display: grid; grid-template-columns: 1fr auto; gap: 0.125rem 1rem; padding: 0.625rem 0; border-top: 1px solid var(--line); font-size: 0.875rem; }
.rows > li > :nth-child(even) { text-align: right; }
.head + .rows { margin-top: 0.5rem; }
.rows b { font-weight: 600; }
.rows b a { color: inherit; }
.warnings { padding-top: 0.25rem; padding-bottom: 0.25rem; }
.warnings li:first-child { border-top: 0; }
.warnings summary::marker { color: var(--bad); }
.warnings .warn summary::marker { color: var(--warn); }
.warnings details, .warnings summary { color: var(--text); width: auto; }
.warnings details p { margin-top: 0.5rem; max-width: 60rem; }
.figures { display: flex; flex-wrap: wrap; gap: 1rem 1.5rem; align-items: start; justify-content: space-between; }
.figures h2 { color: var(--muted); font-size: 0.875rem; font-weight: 400; letter-spacing: 0; }
.big { font-size: 1.0625rem; color: var(--muted); white-space: nowrap; }
.big b { font-size: 2.75rem; line-height: 1.15; font-weight: 700; letter-spacing: -0.03em; color: var(--text); }
.figures dl { display: grid; grid-auto-flow: column; justify-content: end; flex: 1 1 34rem; }
.figures dl > div { border-left: 1px solid var(--line); padding: 0 1.125rem; }
.figures dt, .figures .note { color: var(--muted); font-size: 0.8125rem; }
.figures .note { max-width: 11rem; }
.figures .value { font-size: 1.25rem; font-weight: 650; line-height: 1.4; }
.figures .value small { color: var(--muted); font-size: 0.875rem; font-weight: 400; }
.meter { display: flex; height: 0.5rem; border-radius: 0.25rem; background: var(--track); overflow: hidden; forced-color-adjust: none; print-color-adjust: exact; }
.meter i { display: block; }
.meter i:not([class]) { background: var(--accent); }
.meter .expected { background: repeating-linear-gradient(135deg, var(--accent) 0 2px, transparent 2px 5px); }
.budget { margin-top: 0.875rem; }
.budget p { margin-top: 0.375rem; font-size: 0.8125rem; }
.divided { border-top: 1px solid var(--line); margin: 1.125rem -1.375rem 0; padding: 1.125rem 1.375rem 0; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.125rem; font-size: 0.8125rem; }
.legend a { color: var(--text); }
.legend b { font-weight: 600; }
.swatch { display: inline-block; width: 0.6875rem; height: 0.6875rem; border-radius: 0.1875rem; margin-right: 0.4375rem; }
.swatch, .bars i { forced-color-adjust: none; print-color-adjust: exact; }
.chart { margin-top: calc(3rem + var(--rows) * 1.125rem); }
.plot { position: relative; height: 12rem; margin-left: 2.5rem; background: linear-gradient(var(--line) 1px, transparent 1px 50%, var(--line) 50% calc(50% + 1px), transparent 0); border-bottom: 1px solid var(--muted); }
.scale { position: absolute; inset: -0.6rem auto -0.6rem -2.5rem; width: 2rem; display: flex; flex-direction: column; justify-content: space-between; text-align: right; color: var(--muted); font-size: 0.75rem; line-height: 1.2rem; }
.bars { position: relative; display: flex; height: 100%; }
.day { position: relative; flex: 1; min-width: 0; height: 100%; display: flex; flex-direction: column-reverse; align-items: center; }
.day i { position: relative; flex: none; width: 72%; border-top: 1px solid var(--panel); }
.day .coming { border: 1px dashed var(--muted); }
a.day:hover, .chosen { background: var(--track); }
.stopped::before { content: ''; position: absolute; inset: -0.875rem 6% 0; background: ${HATCH}; }
.stop-label { position: absolute; bottom: calc(100% + 1rem); margin-bottom: calc(var(--row) * 1.125rem); transform: translateX(-50%); color: var(--warn); font-size: 0.75rem; font-weight: 600; white-space: nowrap; }
.from-start { transform: none; }
.to-end { transform: translateX(-100%); }
.limit { position: absolute; left: 0; right: 0; border-top: 1px dashed var(--muted); color: var(--muted); font-size: 0.75rem; text-align: right; pointer-events: none; }
.limit span { position: absolute; right: 0; bottom: 0; background: var(--panel); padding: 0 0 0 0.375rem; }
.axis { position: relative; height: 1.25rem; margin: 0.25rem 0 0 2.5rem; color: var(--muted); font-size: 0.75rem; }
.axis span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
.axis b { color: var(--text); font-weight: 600; }
.dayline { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; justify-content: space-between; align-items: center; margin-top: 0.75rem; padding: 0.75rem 1rem; border-radius: 0.625rem; background: var(--page); font-size: 0.875rem; }
.of-manual { background: var(--manual); }
.of-live { background: var(--live); }
.of-workflow { background: var(--workflow); }
.of-import { background: var(--import); }
.of-refresh { background: var(--refresh); }
.of-backfill { background: var(--backfill); }
.tabs { display: flex; gap: 0.125rem; padding: 0.1875rem; border-radius: 0.5rem; background: var(--page); font-size: 0.875rem; }
.tabs a, .tabs b, .tabs .link { padding: 0.1875rem 0.75rem; border-radius: 0.375rem; color: var(--muted); font-weight: 500; text-decoration: none; }
.tabs b { background: var(--panel); color: var(--text); box-shadow: 0 0 0 1px var(--line); }
details { font-size: 0.875rem; }
summary { cursor: pointer; color: var(--accent); width: fit-content; }
.fold { margin-top: 0.5rem; }
.foot { display: flex; flex-wrap: wrap; gap: 0.375rem 1.5rem; align-items: start; padding: 0 0.25rem; font-size: 0.875rem; color: var(--muted); }
.foot > :first-child { flex-basis: 100%; }
.foot .fold { margin-top: 0; }
.foot .fold[open] { flex-basis: 100%; order: 1; padding-top: 0.25rem; }
.foot .fold p { max-width: 48rem; margin-top: 0.375rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; }
caption { text-align: left; color: var(--muted); font-size: 0.8125rem; padding: 0.125rem 0 0.5rem; }
th, td { padding: 0.5rem 0 0.5rem 1rem; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--line); font-weight: 400; }
th:first-child, td:first-child { padding-left: 0; }
tbody:last-child tr:last-child th, tbody:last-child tr:last-child td { border-bottom: 0; }
.typed { overflow-wrap: anywhere; min-width: 6.5rem; }
thead th { color: var(--muted); font-size: 0.8125rem; white-space: nowrap; }
thead a { color: inherit; }
tfoot th, tfoot td { font-weight: 650; border-bottom: 0; }
.number { text-align: right; white-space: nowrap; }
.number .meter { display: inline-flex; width: 5.5rem; height: 0.375rem; margin-left: 0.75rem; vertical-align: 0.0625rem; }
.rows .meter { display: inline-flex; width: 4.5rem; height: 0.375rem; margin-right: 0.5rem; vertical-align: 0.0625rem; }
.scroll { overflow-x: auto; margin-top: 0.5rem; }
.scroll a, .scroll .link { white-space: nowrap; }
tbody th a, tfoot th a { color: inherit; }
.scroll .number > div:empty::after { content: '–'; color: var(--muted); }
.menu { position: relative; }
.menu > summary, header .ways > a { display: block; width: auto; padding: 0.3125rem 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--panel); color: var(--text); font-size: 0.875rem; font-weight: 500; }
.menu > summary::marker { content: ''; }
.menu > summary::after { content: ' ▾'; color: var(--muted); }
.menu > :last-child { position: absolute; z-index: 2; right: 0; top: calc(100% + 0.25rem); width: max-content; max-width: min(34rem, calc(100vw - 2rem)); padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.625rem; background: var(--panel); box-shadow: 0 0.5rem 1.5rem rgb(0 0 0 / 0.15); line-height: 1.9; }
.range { display: flex; align-items: center; gap: 0.25rem; }
.step { padding: 0.25rem 0.5rem; }
.picker { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: end; margin-top: 0.25rem; }
.picker label { display: grid; gap: 0.125rem; color: var(--muted); font-size: 0.8125rem; line-height: 1.5; max-width: 100%; }
.picker input, .picker button { font: inherit; font-size: 0.875rem; color: var(--text); background: var(--panel); border: 1px solid var(--muted); border-radius: 0.375rem; padding: 0.125rem 0.5rem; height: 2rem; max-width: 100%; }
.picker button { cursor: pointer; font-weight: 600; }
.ways { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; font-size: 0.875rem; }
.pager { margin-top: 0.75rem; font-size: 0.875rem; }
.age > span { display: none; }
.link { font: inherit; color: var(--accent); background: none; border: 0; padding: 0; cursor: pointer; }`;

/** The page's style sheet. It consists only of constants, so nothing needs escaping. */
const PAGE_STYLE: Html = {
  markup: `
:root { color-scheme: light dark; ${LIGHT} }
@media screen and (prefers-color-scheme: dark) {
  :root { ${DARK} }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.75rem 1.5rem 2rem; max-width: 74rem; background: var(--page); color: var(--text);
  font: 0.9375rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%;
}
${COMPONENTS}
@property --minutes { syntax: '<integer>'; inherits: false; initial-value: 0; }
@keyframes age { to { --minutes: 600; } }
@keyframes gone { to { max-width: 0; } }
@keyframes stale { to { content: counter(minutes) ' min old. '; } }
.age > span { display: inline-block; max-width: 4rem; overflow: hidden; vertical-align: bottom; white-space: pre; animation: gone 1ms 60s forwards; }
.age > span::before { content: ''; display: inline-block; width: 0.5rem; height: 0.5rem; margin-right: 0.375rem; border-radius: 50%; background: var(--backfill); }
.age::before { content: ''; color: var(--warn); font-weight: 600; counter-reset: minutes var(--minutes); animation: age 36000s steps(600) forwards, stale 1ms 60s forwards; }
header { display: flex; flex-wrap: wrap; gap: 0.75rem 2rem; justify-content: space-between; align-items: center; margin-bottom: 1rem; }
main { display: grid; gap: 1rem; }
@media (max-width: 64rem) {
  .figures dl { grid-auto-flow: row; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 0.75rem 0; flex: 1 0 100%; }
  .figures dl > div { padding-left: 0; border: 0; }
}
@media (max-width: 40rem) {
  body { padding: 1rem 0.875rem 1.25rem; line-height: 1.4; }
  header { margin-bottom: 0.625rem; }
  main { gap: 0.625rem; }
  header .ways { gap: 0.25rem; }
  .range { gap: 0; }
  .menu > summary, header .ways > a { padding: 0.3125rem 0.5rem; font-size: 0.8125rem; }
  .step { padding: 0.25rem; }
  .panel { padding: 0.75rem 1rem; }
  .rows > li { padding: 0.4375rem 0; gap: 0 1rem; }
  .figures { gap: 0.5rem; }
  .figures dl { gap: 0.5rem 0; }
  .figures dt, .figures .note, .figures .value { line-height: 1.3; }
  .chart { margin-top: calc(2.5rem + var(--lines) * 1.125rem); }
  .scroll a { white-space: normal; }
  .warnings { padding-top: 0.125rem; padding-bottom: 0.125rem; }
  .divided { margin: 0.875rem -1rem 0; padding: 0.875rem 1rem 0; }
  .range .menu > :last-child { right: auto; left: -1rem; }
  .figures dl { grid-template-columns: 1fr 1fr; }
  .plot { height: 9rem; }
  .stop-label { margin-bottom: calc(var(--line) * 1.125rem); }
  .day i { width: 80%; }
  .rows > li > :nth-child(n + 3), .warnings li > * { grid-column: 1 / -1; text-align: left; }
  .scroll table, .scroll tbody, .scroll tfoot { display: block; }
  .scroll thead { display: none; }
  .scroll tbody:last-child tr:last-child, .scroll tfoot tr { border-bottom: 0; }
  .scroll th { font-weight: 600; }
  .scroll caption, .scroll .meter { display: none; }
  .scroll tr { display: flex; flex-wrap: wrap; padding: 0.3125rem 0; border-bottom: 1px solid var(--line); }
  .scroll th { flex: 1 0 calc(100% - 7rem); }
  .scroll td { display: none; }
  .scroll td[data-line] { display: block; color: var(--muted); font-size: 0.8125rem; font-weight: 400; }
  .scroll th, .scroll td[data-line] { padding: 0; border-bottom: 0; white-space: normal; overflow-wrap: anywhere; }
  .scroll td[data-line='1'] { flex: 0 0 7rem; text-align: right; color: var(--text); font-size: inherit; font-weight: 600; }
  .scroll th, .scroll td[data-line='1'] { order: -1; }
  .scroll td[data-line] > div { display: inline; }
  .scroll td[data-line='2']:has(> div:empty) { display: none; }
  .scroll td[data-line='2'] ~ td[data-line='2']:not(:last-child)::before { content: ', '; white-space: pre; }
  .scroll td[data-line='2']::after { content: attr(data-after); white-space: pre; }
  .scroll td[data-line]:last-child { margin-left: auto; }
}
@media print {
  :root { --page: #ffffff; }
  body { padding: 0; max-width: none; }
  header .ways, .tabs, .fold, .foot { display: none; }
  .panel { break-inside: avoid; border: 0; padding: 0; }
}
`,
};

/**
 * Class of the widget's root element. All rules apply only inside this element, because the console's own page
 * surrounds it.
 */
const ROOT = '.credit-spend';

/** Returns the widget's style sheet. The dashboard determines its width. */
function widgetStyle(theme: 'light' | 'dark'): Html {
  const colours = `${ROOT} { color-scheme: ${theme}; ${theme === 'dark' ? DARK : LIGHT} }`;
  const frame = `
${ROOT} { padding: 0.25rem; color: var(--text); font-size: 0.875rem; line-height: 1.5; font-variant-numeric: tabular-nums; display: grid; gap: 1rem; }
${ROOT} * { box-sizing: border-box; }
`;
  return { markup: `${colours}${frame}${scoped(COMPONENTS, ROOT)}` };
}

/** Limits the rules to the inside of the element that `root` selects. */
function scoped(rules: string, root: string): string {
  return rules.replaceAll(/^([^{\n]+) \{/gm, (_, selectors: string) => {
    const inside = selectors.split(', ').map((selector) => `${root} ${selector}`);
    return `${inside.join(', ')} {`;
  });
}

/** All views: the report, and the lists behind its figures. */
export const VIEWS = ['spend', 'charges', 'waiting', 'statement'] as const;
export type View = (typeof VIEWS)[number];

/** The installation that the page is about. */
export interface Installation {
  /** The page's stack, for the commands that the page shows; absent on one machine. */
  readonly stack?: string | undefined;
  /** Environment variables that the commands need, such as `DATA_DIR=books`; absent if they need none. */
  readonly environment?: string | undefined;
  /** Pages of HubSpot; absent if the account is unknown. */
  readonly hubSpot?: HubSpotPages | undefined;
}

interface LinkText {
  /** The visible text. */
  readonly words: string;
  /** A longer text for a screen reader, which also names the subject. */
  readonly label?: string;
  /** Id of the part of the view to show first. A widget ignores it. */
  readonly at?: string;
}

/** Links between views: addresses on the page, or calls of the function in a dashboard's widget. */
export interface Links extends Installation {
  to(view: View, query: Query, text: LinkText): Html;
  /** Returns the address of a view, for a bar of the chart. Absent in a widget, because its views have no addresses. */
  readonly address?: (view: View, query: Query) => string;
  /** Builds a form whose fields are the parameters of a view. */
  form(view: View, asked: { readonly fields: Html; readonly button: string }): Html;
  /** Links to the same view as a file. Absent in a widget. */
  file(name: string, query: Query, words: string): Html | undefined;
}

/** Shows a command as a person types it for the page's installation. */
export function commandCode({ stack, environment }: Installation, words: string): Html {
  return html`<code>${environment && `${environment} `}npm run -s cli -- ${commandText(words, stack)}</code>`;
}

/** @param root path from the current page to the folder of `spend`. For the pages below it, this is `../`. */
export function pageLinks(root: '' | '../', place: Installation): Links {
  const address = (name: string, query: Query) => `${root}${name}${textOf(query)}`;
  return {
    ...place,
    address: (view, query) => address(PATHS[view], query),
    to: (view, query, { words, label, at }) =>
      html`<a href="${address(PATHS[view], query)}${at && `#${at}`}"${labelled(label)}>${words}</a>`,
    form: (view, { fields, button }) =>
      html`<form class="picker" method="get" action="${address(PATHS[view], {})}">${fields}<button>${button}</button></form>`,
    file: (name, query, words) => html`<a href="${address(name, query)}">${words}</a>`,
  };
}

/**
 * Builds the links of a widget. A click on the element before a `cwdb-action` calls the function with the action's JSON
 * and the contents of the widget's forms (CloudWatch user guide, "Interactivity in the custom widget").
 * @param endpoint the function's ARN.
 */
export function widgetLinks(endpoint: string, place: Installation): Links {
  const call = (asked: object) =>
    html`<cwdb-action action="call" endpoint="${endpoint}">${JSON.stringify(asked)}</cwdb-action>`;
  return {
    ...place,
    to: (view, query, { words, label }) =>
      html`<button type="button" class="link"${labelled(label)}>${words}</button>${call({ view, query })}`,
    form: (view, { fields, button }) =>
      html`<form class="picker">${fields}<button type="button">${button}</button>${call({ view })}</form>`,
    file: () => undefined,
  };
}

const PATHS: Readonly<Record<View, string>> = {
  spend: 'spend',
  charges: 'spend/charges',
  waiting: 'spend/waiting',
  statement: 'spend/statement',
};

function labelled(label: string | undefined): Html | undefined {
  return label === undefined ? undefined : html` aria-label="${label}"`;
}

function textOf(query: Query): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** The HubSpot whose pages the links open. */
export interface HubSpotSite {
  /** Our app's id. Absent if it is unknown, or if no app serves pages there. */
  readonly appId?: string | undefined;
  /** Address of the stand-in HubSpot; absent with the real one. */
  readonly standInUrl?: string | undefined;
}

/** Addresses of pages in HubSpot, or in its stand-in. */
export interface HubSpotPages {
  readonly record: (name: RecordName) => string;
  /** The app's home page, on which people decide. */
  readonly home?: string;
}

/**
 * HubSpot's developer documentation names the address of an app's home page ("App pages reference, App page URLs").
 * @param portalId account of HubSpot. While it is unknown, real pages have no address.
 */
export function hubSpotPages(
  { appId, standInUrl }: HubSpotSite,
  portalId: string | undefined,
): HubSpotPages | undefined {
  if (standInUrl !== undefined)
    return {
      record: ({ objectType, id }) => `${standInUrl}/screen/${objectType}/${encodeURIComponent(id)}`,
      ...(appId !== undefined && { home: `${standInUrl}/screen/home` }),
    };
  if (portalId === undefined) return undefined;
  const account = encodeURIComponent(portalId);
  return {
    record: ({ objectType, id }) => {
      const { typeId } = OBJECT_TYPE_ROWS[objectType];
      return `https://app.hubspot.com/contacts/${account}/record/${typeId}/${encodeURIComponent(id)}`;
    },
    ...(appId !== undefined && {
      home: `https://app.hubspot.com/app/${account}/${encodeURIComponent(appId)}`,
    }),
  };
}

/** Links to a page outside, in a new tab. */
function outsideLink(address: string, words: Html | string): Html {
  return html`<a href="${address}" target="_blank" rel="noreferrer noopener">${words}</a>`;
}

/**
 * Names the record by its id, such as `Contact 123`, with a link to HubSpot. On a laptop, a second request of the browser
 * puts the record's name there.
 */
export function recordLink({ objectType, id }: RecordName, { hubSpot }: Links): Html {
  const { singular } = OBJECT_TYPE_ROWS[objectType];
  const words = `${singular.slice(0, 1).toUpperCase()}${singular.slice(1)} ${id}`;
  const name = html`<span data-record="${recordKey({ objectType, id })}">${words}</span>`;
  return hubSpot ? outsideLink(hubSpot.record({ objectType, id }), name) : name;
}

/** Links to the app's home page in HubSpot; absent if its address is unknown. */
export function homeLink({ hubSpot }: Links, words = 'Home in HubSpot'): Html | undefined {
  return hubSpot?.home === undefined ? undefined : outsideLink(hubSpot.home, words);
}

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
