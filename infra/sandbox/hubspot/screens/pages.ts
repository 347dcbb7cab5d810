import { type Html, html } from '../../../../shared/kernel/index.ts';
import { createByPerson, editByPerson } from '../input.ts';
import type { PropertyDefinition } from '../properties.ts';
import { associate, associatedWith, companyFromEmail, pairOf } from '../record-routes.ts';
import { findRecord, liveProperty, liveRecords, ownRecord, readValue } from '../records.ts';
import { matches } from '../search.ts';
import {
  type HistoryEntry,
  type ObjectTypeId,
  type Portal,
  personActor,
  pluralName,
  type StoredRecord,
  singularName,
  VIEWER,
} from '../state.ts';
import { enrol } from '../verbs.ts';
import {
  alertOf,
  appHtml,
  fieldOf,
  problemsOf,
  type RecordVisit,
  recordName,
  SCREENS,
  screenResponse,
  seeOther,
  shownTime,
  type TypeVisit,
  type Visit,
} from './frame.ts';

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
  const found = matches(portal, typeId, { words }).reverse();
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

function pagesOf({
  type,
  words,
  page,
  pages,
}: {
  type: string;
  words: string;
  page: number;
  pages: number;
}): Html {
  const link = (to: number, text: string) =>
    to < 1 || to > pages
      ? undefined
      : html`<a class="button" href="${SCREENS}/${type}?${String(new URLSearchParams({ q: words, page: String(to) }))}">${text}</a>`;
  return html`<nav aria-label="Pages">${link(page - 1, 'Previous')}<span>Page ${page} of ${pages}</span>${link(page + 1, 'Next')}</nav>`;
}

export const FORM_FIELDS: Readonly<Record<ObjectTypeId, readonly { name: string; label: string }[]>> = {
  '0-1': [
    { name: 'email', label: 'Email' },
    { name: 'firstname', label: 'First name' },
    { name: 'lastname', label: 'Last name' },
    { name: 'hs_linkedin_url', label: 'LinkedIn URL' },
    { name: 'website', label: 'Company website' },
    { name: 'jobtitle', label: 'Job title' },
  ],
  '0-2': [
    { name: 'domain', label: 'Company domain' },
    { name: 'name', label: 'Name' },
    { name: 'linkedin_company_page', label: 'LinkedIn page' },
  ],
};

const SAMPLES_SHOWN = 6;

/** The form to create one record. The query can fill its fields. */
export async function newRecordPage(visit: TypeVisit, problems: readonly string[] = []): Promise<Response> {
  const { portal, typeId, query, form } = visit;
  const type = pluralName(typeId);
  const given = (name: string) => (form ? fieldOf(visit, name) : (query.get(name) ?? ''));
  const fields = FORM_FIELDS[typeId].map(
    ({ name, label }) =>
      html`<div><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${given(name)}" autocomplete="off"></div>\n`,
  );
  const main = html`${alertOf(problems)}
<form class="panel stack" method="post" action="${SCREENS}/${type}/new">
<p class="muted">Fill in what you know. One identifier is enough: an email, a profile, or a domain.</p>
<div class="fields">${fields}</div>
<div class="row"><button class="primary">Create</button><a class="button" href="${SCREENS}/${type}">Cancel</a></div>
</form>
${await samplesOf(visit)}`;
  const status = problems.length > 0 ? 400 : 200;
  return screenResponse(portal, { title: `Create a ${singularName(typeId)}`, place: type, main, status });
}

export async function createRecordFromForm(visit: TypeVisit): Promise<Response> {
  const { portal, typeId } = visit;
  const filled = FORM_FIELDS[typeId].map(({ name }) => [name, fieldOf(visit, name)] as const);
  const properties = Object.fromEntries(filled.filter(([, value]) => value !== ''));
  if (Object.keys(properties).length === 0) return newRecordPage(visit, ['Fill in at least one field.']);
  try {
    const record = createByPerson(portal, { typeId, properties, actor: personActor(VIEWER.userId) });
    companyFromEmail(portal, record);
    return seeOther(`${pluralName(typeId)}/${record.id}`);
  } catch (error) {
    return newRecordPage(visit, problemsOf(error));
  }
}

/** Suggests people or companies that the data service knows and the account does not have. */
async function samplesOf({ portal, typeId, actions }: TypeVisit): Promise<Html | undefined> {
  const samples = (await actions.samples?.(typeId)) ?? [];
  const isNew = ({ email, domain }: Readonly<Record<string, string>>) =>
    matches(portal, typeId, { words: email ?? domain ?? '' }).length === 0;
  const fresh = samples.filter(isNew).slice(0, SAMPLES_SHOWN);
  if (fresh.length === 0) return undefined;
  const type = pluralName(typeId);
  return html`<section class="panel stack"><h2>Known to the data service</h2>
<p class="muted">The data service is played, too. It knows these, among others. A link fills in the form.</p>
<ul class="samples">${fresh.map(
    (sample) =>
      html`<li><a href="${SCREENS}/${type}/new?${String(new URLSearchParams(sample))}">${Object.values(sample).join(' ')}</a></li>\n`,
  )}</ul>
<p><a href="${SCREENS}/${type}/sample.csv">A CSV with all ${samples.length}</a>, to import.</p></section>`;
}

/**
 * Page of a record, with its values, associations and workflow, and the app's card in its wide or (`?sidebar`) narrow
 * place.
 */
export function recordPage(visit: RecordVisit, problems: readonly string[] = []): Response {
  const { portal, record, typeId, query, actions } = visit;
  const place = pluralName(typeId);
  const path = `${SCREENS}/${place}/${record.id}`;
  const isNarrow = query.has('sidebar');
  const location = isNarrow ? 'crm.record.sidebar' : 'crm.record.tab';
  const { portalId } = portal.state.settings;
  const page = { objectTypeId: typeId, id: record.id, portalId, location, viewer: VIEWER };
  const other = isNarrow
    ? html`<a href="${path}">Show the card wide, as in a tab</a>`
    : html`<a href="${path}?sidebar">Show the card narrow, as in the sidebar</a>`;
  const card = html`<section class="panel stack" aria-label="The app's card">${appHtml('card', page)}<p class="links">${other}</p></section>`;
  const main = html`${alertOf(problems)}
<p id="changed" role="status"></p>
<div class="record ${isNarrow ? 'sidebar' : 'tab'}">
${valuesOf(visit, path)}
<div class="stack">${actions.script ? card : html`<p class="panel muted">No card of an app was given to this stand-in.</p>`}
${associationsOf(visit, path)}${workflowOf(path)}</div>
</div>`;
  const status = problems.length > 0 ? 400 : 200;
  return screenResponse(portal, { title: recordName(portal, record), place, main, status });
}

function valuesOf({ portal, record, typeId }: RecordVisit, path: string): Html {
  const live = Object.values(portal.state.properties[typeId]).filter(({ name }) =>
    liveProperty(portal, { typeId, name }),
  );
  const link = (name: string) => `${path}/property?name=${encodeURIComponent(name)}`;
  const rows = live.flatMap(({ name, label, options }) => {
    const value = readValue(portal, { record, name });
    const [entry] = record.history[name] ?? [];
    if (value === '' || !entry) return [];
    return html`<tr data-property="${name}"><th scope="row"><a href="${link(name)}">${label}</a></th><td>${options.find((option) => option.value === value)?.label ?? value}</td>
<td class="source">${sourceName(portal, entry)}<br>${shownTime(portal, entry.timestamp)}</td></tr>\n`;
  });
  const empty = live.filter(
    ({ name, modificationMetadata }) =>
      !modificationMetadata.readOnlyValue && readValue(portal, { record, name }) === '',
  );
  return html`<section class="panel stack">
<table class="stacked"><caption>Properties (times: ${portal.state.settings.timeZone})</caption>
<thead><tr><th scope="col">Property</th><th scope="col">Value</th><th scope="col">Source</th></tr></thead>
<tbody id="properties">${rows}</tbody></table>
<form class="row" method="get" action="${path}/property"><label for="name">Empty property</label>
<select id="name" name="name">${empty.map(({ name, label }) => html`<option value="${name}">${label}</option>`)}</select><button>Fill in</button></form>
</section>`;
}

const OTHER = { '0-1': '0-2', '0-2': '0-1' } as const;
/** Maximum length of a list to choose from. */
const MOST_CHOICES = 200;

function associationsOf({ portal, record, typeId }: RecordVisit, path: string): Html {
  const otherId = OTHER[typeId];
  const type = pluralName(otherId);
  const known = associatedWith(portal, { typeId, id: record.id });
  const rows = known.flatMap(({ id, primary }) => {
    const found = ownRecord(portal, { typeId: otherId, id });
    if (!found) return [];
    return html`<li><a href="${SCREENS}/${type}/${id}">${recordName(portal, found)}</a>${primary ? ' (primary)' : ''}</li>\n`;
  });
  const choices = liveRecords(portal, otherId)
    .filter(({ id }) => !known.some((one) => one.id === id))
    .slice(-MOST_CHOICES)
    .reverse();
  const options = choices.map((one) => html`<option value="${one.id}">${recordName(portal, one)}</option>`);
  return html`<section class="panel stack"><h2>Associated ${type}</h2>
${rows.length > 0 ? html`<ul class="links">${rows}</ul>` : html`<p class="muted">None.</p>`}
${
  choices.length > 0
    ? html`<form class="row" method="post" action="${path}/associate"><label for="to">Associate a ${singularName(otherId)}</label><select id="to" name="to">${options}</select><button>Associate</button></form>`
    : undefined
}</section>`;
}

function workflowOf(path: string): Html {
  return html`<section class="panel stack"><h2>Workflow</h2>
<p class="muted">Enrolls this record in a workflow whose only step is the app's action "Enrich record".</p>
<form method="post" action="${path}/enroll"><button>Enroll in the workflow</button></form></section>`;
}

export function associateFromForm(visit: RecordVisit): Response {
  const { portal, record, typeId } = visit;
  try {
    const pair = pairOf(portal, { from: typeId, fromId: record.id, toId: fieldOf(visit, 'to') });
    associate(portal, { ...pair, actor: personActor(VIEWER.userId) });
    return seeOther(`${pluralName(typeId)}/${record.id}`);
  } catch (error) {
    return recordPage(visit, problemsOf(error));
  }
}

export function propertyPage(visit: RecordVisit, problems: readonly string[] = []): Response | undefined {
  const { portal, record, typeId, query } = visit;
  const place = pluralName(typeId);
  const definition = liveProperty(portal, { typeId, name: query.get('name') ?? '' });
  if (!definition) return undefined;
  const { name, label, modificationMetadata } = definition;
  const path = `${SCREENS}/${place}/${record.id}`;
  const value = problems.length > 0 ? fieldOf(visit, 'value') : readValue(portal, { record, name });
  const form = html`<form class="panel stack" method="post" action="${path}/property?name=${encodeURIComponent(name)}">
<div><label for="value">${label}</label>${inputOf(definition, value)}</div>
<div class="row"><button class="primary">Save as a person</button><a class="button" href="${path}">Cancel</a></div>
</form>`;
  const main = html`${alertOf(problems)}<p><a href="${path}">Back to ${recordName(portal, record)}</a></p>
${modificationMetadata.readOnlyValue ? html`<p class="panel muted">HubSpot fills in this property itself.</p>` : form}
${historyOf(portal, record.history[name] ?? [])}`;
  const title = `${label} of ${recordName(portal, record)}`;
  return screenResponse(portal, { title, place, main, status: problems.length > 0 ? 400 : 200 });
}

function inputOf({ type, fieldType, options }: PropertyDefinition, value: string): Html {
  if (fieldType === 'textarea') return html`<textarea id="value" name="value" rows="5">\n${value}</textarea>`;
  const isChoice = (type === 'enumeration' || type === 'bool') && fieldType !== 'checkbox';
  if (!isChoice || options.length === 0) {
    const hint = fieldType === 'checkbox' ? 'Several values are separated by ;' : undefined;
    return html`<input id="value" name="value" value="${value}" autocomplete="off">${hint && html`<p class="muted">${hint}</p>`}`;
  }
  const known = [{ label: 'No value', value: '' }, ...options];
  const all = known.some((option) => option.value === value) ? known : [...known, { label: value, value }];
  return html`<select id="value" name="value">${all.map((option) =>
    option.value === value
      ? html`<option value="${option.value}" selected>${option.label}</option>`
      : html`<option value="${option.value}">${option.label}</option>`,
  )}</select>`;
}

function historyOf(portal: Portal, entries: readonly HistoryEntry[]): Html {
  if (entries.length === 0) return html`<p class="panel muted">It never had a value.</p>`;
  const rows = entries.map(
    (
      entry,
    ) => html`<tr><td>${entry.value === '' ? html`<em>emptied</em>` : entry.value}</td><td>${sourceName(portal, entry)}</td>
<td class="source">${shownTime(portal, entry.timestamp, 'long')}</td></tr>\n`,
  );
  return html`<section class="panel"><table class="stacked" id="history"><caption>History, newest first</caption>
<thead><tr><th scope="col">Value</th><th scope="col">Source</th><th scope="col">When</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

const SOURCES: Readonly<Record<string, string>> = { IMPORT: 'Import', FORM: 'Form', CALCULATED: 'HubSpot' };

/** Name of a value's writer, as in HubSpot's own history. */
function sourceName({ state }: Portal, { sourceType, sourceId, updatedByUserId }: HistoryEntry): string {
  if (sourceType === 'INTEGRATION')
    return sourceId === String(state.settings.appId) ? 'The enrichment app' : `App ${sourceId}`;
  if (sourceType === 'CRM_UI') return `Person (user ${updatedByUserId ?? sourceId})`;
  return SOURCES[sourceType] ?? sourceType;
}

export function saveProperty(visit: RecordVisit): Response | undefined {
  const { portal, record, typeId, query } = visit;
  const name = query.get('name') ?? '';
  if (!liveProperty(portal, { typeId, name })) return undefined;
  try {
    const properties = { [name]: fieldOf(visit, 'value') };
    editByPerson(portal, { record, properties, actor: personActor(VIEWER.userId) });
    return seeOther(`${pluralName(typeId)}/${record.id}`);
  } catch (error) {
    return propertyPage(visit, problemsOf(error));
  }
}

export function homePage({ portal, actions }: Visit): Response {
  const { portalId } = portal.state.settings;
  const main = actions.script
    ? html`<section class="panel stack" aria-label="The app's home page">${appHtml('home', { portalId, location: 'pages', viewer: VIEWER })}</section>`
    : html`<p class="panel muted">No home page of an app was given to this stand-in.</p>`;
  return screenResponse(portal, { title: 'Enrichment', place: 'home', main });
}

const MOST_SHOWN = 100;

const STATES = { held: 'Waits for the app', completed: 'Done', failed: 'Refused by the app' } as const;

/**
 * Page of the workflow, whose only step is the app's action. It shows the latest records and the action's results for
 * them.
 */
export function workflowPage({ portal }: Visit): Response {
  const rows = portal.state.executions
    .slice(-MOST_SHOWN)
    .reverse()
    .map(({ typeId, recordId, state, outputs }) => {
      const record = findRecord(portal, { typeId, id: recordId });
      const name = record ? recordName(portal, record) : recordId;
      const { outcome = '', credits = '', reason = '' } = outputs;
      return html`<tr><th scope="row"><a href="${SCREENS}/${pluralName(typeId)}/${recordId}">${name}</a></th>
<td>${STATES[state]}</td><td>${outcome}</td><td>${credits && `${credits} ${credits === '1' ? 'credit' : 'credits'}`}</td><td>${reason}</td></tr>\n`;
    });
  const table = html`<table class="stacked"><caption>Latest records</caption>
<thead><tr><th scope="col">Record</th><th scope="col">State</th><th scope="col">Outcome</th><th scope="col">Cost</th><th scope="col">Reason</th></tr></thead><tbody>${rows}</tbody></table>`;
  const main = html`<section class="panel stack"><h2>Enrich record</h2>
<p>When a person enrolls a record, the workflow runs the app's action and waits until the app reports how it ended. The report may take a minute.</p>
<p class="muted">To enroll a record, open it and choose "Enroll in the workflow".</p></section>
<section class="panel stack">${rows.length > 0 ? table : html`<p>No record was enrolled yet.</p>`}
<p><a class="button" href="${SCREENS}/workflow">Look again</a></p></section>`;
  return screenResponse(portal, { title: 'Workflow', place: 'workflow', main });
}

export async function enrollFromForm({ portal, actions, record, typeId }: RecordVisit): Promise<Response> {
  await enrol({ portal, send: actions.send, typeId, recordIds: [record.id] });
  return seeOther('workflow');
}
