import { type CsvRow, headingKey, readCsv } from '../../../../shared/kernel/adapters.ts';
import { csvRecord, type Html, html } from '../../../../shared/kernel/index.ts';
import { createByPerson } from '../input.ts';
import type { PropertyDefinition } from '../properties.ts';
import { companyFromEmail } from '../record-routes.ts';
import { liveProperty } from '../records.ts';
import { pluralName, VIEWER } from '../state.ts';
import { alertOf, fieldOf, problemsOf, SCREENS, screenResponse, type TypeVisit, typed } from './frame.ts';
import { FORM_FIELDS } from './pages.ts';

/** Maximum number of rows, which is enough to try an import. */
const MOST_ROWS = 1_000;
const MOST_PROBLEMS_SHOWN = 20;

interface Imported {
  readonly created: number;
  readonly problems: readonly string[];
}

export function importPage({ portal, typeId }: TypeVisit, imported?: Imported): Response {
  const type = pluralName(typeId);
  const names = FORM_FIELDS[typeId].map(({ name }) => name).join(', ');
  const main = html`${imported && resultOf(imported)}
<form class="panel stack" method="post" action="${SCREENS}/${type}/import" enctype="multipart/form-data">
<p>The first row names the properties, by label or internal name, such as <code>${names}</code>. At most ${MOST_ROWS} rows follow, and the file has at most 1 MB.</p>
<div><label for="file">CSV file</label><input id="file" type="file" name="file" accept=".csv,.txt,.tsv,text/csv" required></div>
<div><label><input type="checkbox" name="partly" value="true"> Leave out columns that are no properties, or only HubSpot may fill</label></div>
<p class="muted">Each row makes one ${type === 'contacts' ? 'contact' : 'company'}. A row with a refused value makes none; the others are still imported.</p>
<div class="row"><button class="primary">Import</button><a class="button" href="${SCREENS}/${type}">To the ${type}</a></div>
</form>`;
  const status = imported?.created === 0 ? 400 : 200;
  return screenResponse(portal, { title: `Import ${type}`, place: type, main, status });
}

function resultOf({ created, problems }: Imported): Html {
  const more = problems.length - MOST_PROBLEMS_SHOWN;
  const shown = problems.slice(0, MOST_PROBLEMS_SHOWN);
  return html`<div class="Alert success" role="status"><p>${created} ${created === 1 ? 'record was' : 'records were'} created.</p></div>
${alertOf(more > 0 ? [...shown, `${more} more ${more === 1 ? 'row was' : 'rows were'} refused.`] : shown)}`;
}

export async function importFile(visit: TypeVisit): Promise<Response> {
  const file = visit.form?.get('file');
  const bytes = file instanceof File ? await file.bytes() : new Uint8Array();
  return importPage(visit, imported(visit, bytes));
}

function imported(visit: TypeVisit, bytes: Uint8Array): Imported {
  const file = readCsv(bytes);
  if (file.kind === 'damaged')
    return nothing(
      `Line ${file.line}: a quote is never closed, or is within a value. Put the value in quotes, and double each quote in it.`,
    );
  const [header, ...rows] = file.rows;
  if (!header || rows.length === 0) return nothing('The file has no row after its header.');
  if (rows.length > MOST_ROWS)
    return nothing(`The file has ${rows.length} rows after its header; at most ${MOST_ROWS} are imported.`);
  const columns = header.fields.map((heading) => ({ heading, name: propertyNamed(visit, heading) }));
  const unknown = columns.flatMap(({ heading, name }) =>
    name === undefined && heading !== '' ? [heading] : [],
  );
  if (unknown.length > 0 && fieldOf(visit, 'partly') !== 'true')
    return nothing(
      `Line ${header.line}: no property that you may fill is called "${unknown.join('", "')}". Rename or remove the column, or choose to leave it out.`,
    );
  const names = columns.map(({ name }) => name);
  const twice = names.filter((name, index) => name !== undefined && names.indexOf(name) !== index);
  if (twice.length > 0)
    return nothing(`Line ${header.line}: two columns are for the property "${twice.join('", "')}".`);
  if (names.every((name) => name === undefined)) return nothing('The file has no column for a property.');
  const problems = rows.flatMap((row) => rowProblems(visit, { names, row }));
  return {
    created: rows.length - new Set(problems.map(({ line }) => line)).size,
    problems: problems.map(({ text }) => text),
  };
}

function nothing(problem: string): Imported {
  return { created: 0, problems: [problem] };
}

/** Finds the property of a column that a person may fill, by internal name or label. */
function propertyNamed({ portal, typeId }: TypeVisit, heading: string): string | undefined {
  const key = headingKey(heading);
  const fillable = Object.keys(portal.state.properties[typeId])
    .flatMap((name) => liveProperty(portal, { typeId, name }) ?? [])
    .filter(({ calculated, modificationMetadata }) => !calculated && !modificationMetadata.readOnlyValue);
  const named =
    fillable.find(({ name }) => name === heading || headingKey(name) === key) ??
    fillable.find(({ label }) => headingKey(label) === key);
  return key === '' ? undefined : named?.name;
}

function optionNamed(property: PropertyDefinition | undefined, text: string): string {
  const { options = [] } = property ?? {};
  const isKnown = options.some(({ value }) => value === text);
  const labelled = options.find(({ label }) => headingKey(label) === headingKey(text));
  return isKnown ? text : (labelled?.value ?? text);
}

interface ImportRow {
  /** Of the columns. A column without a property is left out. */
  readonly names: readonly (string | undefined)[];
  readonly row: CsvRow;
}

/** Creates the record of a row. @returns the problems, none if the record was created */
function rowProblems({ portal, typeId }: TypeVisit, { names, row: { line, fields } }: ImportRow) {
  const said = (text: string) => ({ line, text: `Line ${line}: ${text}` });
  if (fields.slice(names.length).some((value) => value !== ''))
    return [said(`it has ${fields.length} values, and the header has ${names.length} names.`)];
  const properties = Object.fromEntries(
    names.flatMap((name, index) => {
      const text = fields[index];
      return name && text ? [[name, optionNamed(portal.state.properties[typeId][name], text)]] : [];
    }),
  );
  if (Object.keys(properties).length === 0) return [said('it has no value of a property.')];
  try {
    // HubSpot stores an import as the source, with the person who started the import.
    const actor = { sourceType: 'IMPORT', sourceId: 'csv', userId: VIEWER.userId };
    companyFromEmail(portal, createByPerson(portal, { typeId, properties, actor }));
    return [];
  } catch (error) {
    return problemsOf(error).map(said);
  }
}

/** Returns records that the data service knows, as a file to import. */
export async function sampleFile({ typeId, actions }: TypeVisit): Promise<Response> {
  const samples = (await actions.samples?.(typeId)) ?? [];
  const names = [...new Set(samples.flatMap((sample) => Object.keys(sample)))];
  const lines = [names, ...samples.map((sample) => names.map((name) => sample[name] ?? ''))];
  return typed('text/csv', lines.map(csvRecord).join(''));
}
