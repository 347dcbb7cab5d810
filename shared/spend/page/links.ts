import { OBJECT_TYPE_ROWS, type RecordName, recordKey } from '#shared/crm';
import { commandText, type Html, html } from '#shared/kernel';
import type { Query } from '../selection.ts';

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
