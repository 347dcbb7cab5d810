import { type Html, html } from '../../../../shared/kernel/index.ts';
import { pluralName, singularName } from '../objects/object-types.ts';
import { readValue } from '../objects/record-view.ts';
import { matchingRecords } from '../objects/search.ts';
import type { StoredRecord } from '../state.ts';
import { SCREENS, screenResponse, shownTime } from './frame.ts';
import { recordName, type TypeVisit } from './visit.ts';

const ROWS_A_PAGE = 25;

const COLUMNS = {
  '0-1': [
    { name: 'email', label: 'Email' },
    { name: 'jobtitle', label: 'Job title' },
    { name: 'enrichment_status', label: 'Enrichment' },
  ],
  '0-2': [
    { name: 'domain', label: 'Domain' },
    { name: 'industry', label: 'Industry' },
    { name: 'enrichment_status', label: 'Enrichment' },
  ],
} as const;

/** Lists records, newest first. `?q=` searches like HubSpot's search, and `?page=` counts from 1. */
export function listPage(visit: TypeVisit): Response {
  const { portal, typeId, query } = visit;
  const type = pluralName(typeId);
  const words = query.get('q')?.trim() ?? '';
  const found = matchingRecords(portal, { typeId, body: { query: words } }).reverse();
  const pages = Math.max(1, Math.ceil(found.length / ROWS_A_PAGE));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(query.get('page'))) || 1));
  const shown = found.slice((page - 1) * ROWS_A_PAGE, page * ROWS_A_PAGE);
  const title = type === 'contacts' ? 'Contacts' : 'Companies';
  const main = html`<div class="row">
<form class="row" method="get" action="${SCREENS}/${type}" role="search">
<label for="q">Search</label><input id="q" type="search" name="q" value="${words}" maxlength="200"><button>Search</button>
</form>
<a class="button primary" href="${SCREENS}/${type}/new">Create a ${singularName(typeId)}</a>
<a class="button" href="${SCREENS}/${type}/import">Import a CSV</a>
</div>
<section class="panel">${found.length > 0 ? tableOf(visit, shown) : html`<p>${words ? 'No record matches the search.' : `There are no ${type} yet.`}</p>`}</section>
${pages > 1 ? pagesOf({ type, words, page, pages }) : undefined}`;
  return screenResponse(portal, { title, place: type, main });
}

function tableOf({ portal, typeId }: TypeVisit, shown: readonly StoredRecord[]): Html {
  const columns = COLUMNS[typeId];
  const rows = shown.map(
    (
      record,
    ) => html`<tr><th scope="row"><a href="${SCREENS}/${pluralName(typeId)}/${record.id}">${recordName(portal, record)}</a></th>
${columns.map(({ name }) => html`<td>${readValue(portal, { record, name })}</td>`)}<td class="muted">${shownTime(portal, record.createdAt)}</td></tr>\n`,
  );
  return html`<table class="stacked list"><thead><tr><th scope="col">Name</th>${columns.map(({ label }) => html`<th scope="col">${label}</th>`)}<th scope="col">Created (${portal.state.settings.timeZone})</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

interface Paging {
  readonly type: string;
  readonly words: string;
  readonly page: number;
  readonly pages: number;
}

function pagesOf({ type, words, page, pages }: Paging): Html {
  const link = (to: number, text: string) =>
    to < 1 || to > pages
      ? undefined
      : html`<a class="button" href="${SCREENS}/${type}?${String(new URLSearchParams({ q: words, page: String(to) }))}">${text}</a>`;
  return html`<nav aria-label="Pages">${link(page - 1, 'Previous')}<span>Page ${page} of ${pages}</span>${link(page + 1, 'Next')}</nav>`;
}
