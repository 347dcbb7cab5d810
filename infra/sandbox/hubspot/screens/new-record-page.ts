import { type Html, html } from '../../../../shared/kernel/index.ts';
import { companyFromEmail } from '../objects/company-from-email.ts';
import { type ObjectTypeId, pluralName, singularName } from '../objects/object-types.ts';
import { createByPerson } from '../objects/person-writes.ts';
import { matchingRecords } from '../objects/search.ts';
import { personActor, VIEWER } from '../portal.ts';
import { alertOf, SCREENS, screenResponse, seeOther } from './frame.ts';
import { problemsOf } from './problems.ts';
import { fieldOf, type TypeVisit } from './visit.ts';

/** Fields of the form for a new record, which are also the usual columns of an import. */
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
    matchingRecords(portal, { typeId, body: { query: email ?? domain ?? '' } }).length === 0;
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
