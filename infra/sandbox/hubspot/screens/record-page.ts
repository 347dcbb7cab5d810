import { type Html, html } from '../../../../shared/kernel/index.ts';
import { associate, associatedWith, pairOf } from '../objects/associations.ts';
import { pluralName, singularName } from '../objects/object-types.ts';
import { liveProperty, readValue } from '../objects/record-view.ts';
import { liveRecords, ownRecord } from '../objects/records.ts';
import { personActor, VIEWER } from '../portal.ts';
import { alertOf, appHtml, SCREENS, screenResponse, seeOther, shownTime } from './frame.ts';
import { problemsOf } from './problems.ts';
import { sourceName } from './property-page.ts';
import { fieldOf, type RecordVisit, recordName } from './visit.ts';

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
