import { type Html, html } from '../../../../shared/kernel/index.ts';
import { pluralName } from '../objects/object-types.ts';
import { editByPerson } from '../objects/person-writes.ts';
import { liveProperty, readValue } from '../objects/record-view.ts';
import { type Portal, personActor, VIEWER } from '../portal.ts';
import type { PropertyDefinition } from '../properties/property-definition.ts';
import type { HistoryEntry } from '../state.ts';
import { alertOf, SCREENS, screenResponse, seeOther, shownTime } from './frame.ts';
import { problemsOf } from './problems.ts';
import { fieldOf, type RecordVisit, recordName } from './visit.ts';

/** Page of one property of a record. A person can change its value, and sees all earlier values. */
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
export function sourceName(
  { state }: Portal,
  { sourceType, sourceId, updatedByUserId }: HistoryEntry,
): string {
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
