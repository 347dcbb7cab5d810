import { commandText, type Html, html } from '#shared/kernel';
import type { Query } from '../selection.ts';
import type { HubSpotPages } from './hubspot-pages.ts';

/** All views: the report, and the lists behind its figures. */
export const VIEWS = ['spend', 'charges', 'records', 'waiting', 'review', 'record'] as const;
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

/** Links between views: addresses on the page, or calls of the function in a dashboard's widget. */
export interface Links extends Installation {
  /**
   * @param said `words` is the visible text. `label` is a longer text for a screen reader, which also names the
   * subject.
   */
  to(view: View, query: Query, said: { readonly words: string; readonly label?: string }): Html;
  /**
   * Returns the address of a view, for a link in a drawing. Absent in a widget, because its views have no addresses.
   */
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
    to: (view, query, { words, label }) =>
      html`<a href="${address(PATHS[view], query)}"${labelled(label)}>${words}</a>`,
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
  records: 'spend/records',
  waiting: 'spend/waiting',
  review: 'spend/review',
  record: 'spend/record',
};

function labelled(label: string | undefined): Html | undefined {
  return label === undefined ? undefined : html` aria-label="${label}"`;
}

function textOf(query: Query): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}
