import { csvRecord, type Html, html } from '../../../../shared/kernel/index.ts';
import { companyFromEmail } from '../objects/company-from-email.ts';
import { pluralName } from '../objects/object-types.ts';
import { createByPerson } from '../objects/person-writes.ts';
import { liveProperty } from '../objects/record-view.ts';
import { VIEWER } from '../portal.ts';
import { type CsvLine, csvLines } from './csv-lines.ts';
import { alertOf, SCREENS, screenResponse, typed } from './frame.ts';
import { FORM_FIELDS } from './new-record-page.ts';
import { problemsOf } from './problems.ts';
import type { TypeVisit } from './visit.ts';

/** Maximum number of lines, which is enough to try an import. */
const MOST_LINES = 1_000;
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
<p>The first line names the properties, such as <code>${names}</code>. At most ${MOST_LINES} lines follow, and the file has at most 1 MB.</p>
<div><label for="file">CSV file</label><input id="file" type="file" name="file" accept=".csv,text/csv" required></div>
<p class="muted">Each line makes one ${type === 'contacts' ? 'contact' : 'company'}. A line with a refused value makes none; the others are still imported.</p>
<div class="row"><button class="primary">Import</button><a class="button" href="${SCREENS}/${type}">To the ${type}</a></div>
</form>`;
  const status = imported?.created === 0 ? 400 : 200;
  return screenResponse(portal, { title: `Import ${type}`, place: type, main, status });
}

function resultOf({ created, problems }: Imported): Html {
  const more = problems.length - MOST_PROBLEMS_SHOWN;
  const shown = problems.slice(0, MOST_PROBLEMS_SHOWN);
  return html`<div class="Alert success" role="status"><p>${created} ${created === 1 ? 'record was' : 'records were'} created.</p></div>
${alertOf(more > 0 ? [...shown, `${more} more ${more === 1 ? 'line was' : 'lines were'} refused.`] : shown)}`;
}

export async function importFile(visit: TypeVisit): Promise<Response> {
  const file = visit.form?.get('file');
  const text = file instanceof File ? await file.text() : '';
  return importPage(visit, imported(visit, text.replace(/^\u{feff}/u, '')));
}

function imported(visit: TypeVisit, text: string): Imported {
  const lines = csvLines(text);
  if (!lines) return nothing('A quote in the file is never closed, or begins within a value.');
  const [header, ...rest] = lines;
  if (!header || rest.length === 0) return nothing('The file has no line after its header.');
  if (rest.length > MOST_LINES)
    return nothing(`The file has ${rest.length} lines after its header; at most ${MOST_LINES} are imported.`);
  const { portal, typeId } = visit;
  const unknown = header.fields.filter((name) => !liveProperty(portal, { typeId, name }));
  if (unknown.length > 0) return nothing(`Line 1: there is no property "${unknown.join('", "')}".`);
  const twice = header.fields.filter((name, index) => header.fields.indexOf(name) !== index);
  if (twice.length > 0) return nothing(`Line 1: "${twice.join('", "')}" stands there twice.`);
  const problems = rest.flatMap((line) => lineProblems(visit, { names: header.fields, line }));
  return {
    created: rest.length - new Set(problems.map(({ number }) => number)).size,
    problems: problems.map(({ text }) => text),
  };
}

function nothing(problem: string): Imported {
  return { created: 0, problems: [problem] };
}

/** Creates the record of a line. @returns the problems, none if the record was created */
function lineProblems(
  { portal, typeId }: TypeVisit,
  { names, line: { number, fields } }: { names: readonly string[]; line: CsvLine },
) {
  const said = (text: string) => ({ number, text: `Line ${number}: ${text}` });
  if (fields.length !== names.length)
    return [said(`it has ${fields.length} values, and the header has ${names.length} names.`)];
  const given = names.map((name, index) => [name, fields[index] ?? ''] as const);
  const properties = Object.fromEntries(given.filter(([, value]) => value !== ''));
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
