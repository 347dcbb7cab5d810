import { OBJECTS } from './account.ts';
import { metOr } from './assumption.ts';
import { jsonText, listOf } from './json-parts.ts';
import type { RehearsalStep, Stage } from './stage.ts';

export const LIFE_STEPS: readonly RehearsalStep[] = [
  { name: 'merge', about: 'what a merge leaves', run: merge },
  { name: 'erase', about: 'what a privacy deletion leaves', run: erase },
];

async function merge({ account, records, note }: Stage): Promise<void> {
  const address = records.address('other');
  const primary = await records.createOne('contacts', { email: records.address('primary') });
  const other = await records.createOne('contacts', { email: address, jobtitle: 'Potter' });
  const merged = await records.merge('contacts', { primary, other });
  note(
    'merge-makes-a-new-id',
    metOr(merged !== primary && merged !== other, 'the merged record keeps an id of the two'),
  );
  const properties = ['jobtitle', 'hs_additional_emails'];
  const body = { inputs: [{ id: other }], properties };
  const [record] = listOf((await account.query(`${OBJECTS}/contacts/batch/read`, body)).json, 'results');
  const isFound = record !== undefined && jsonText(record, 'id') === merged;
  note('merged-id-is-read', metOr(isFound, 'the id that was merged away does not read as the merged record'));
  const winner = { inputs: [{ id: merged }], properties };
  const [kept] = listOf((await account.query(`${OBJECTS}/contacts/batch/read`, winner)).json, 'results');
  const filled = jsonText(kept, 'properties', 'jobtitle') === 'Potter';
  note('merge-fills-blanks', metOr(filled, "a blank was not filled from the other record's value"));
  const more = jsonText(kept, 'properties', 'hs_additional_emails')?.split(';') ?? [];
  note('merge-keeps-addresses', metOr(more.includes(address), 'the other address is not an additional one'));
  const written = await records.update('contacts', [{ id: other, properties: { jobtitle: 'Weaver' } }]);
  const isRefused = listOf(written.json, 'results').length === 0;
  note('merged-id-is-not-written', metOr(isRefused, 'a write under the id that was merged away succeeds'));
}

async function erase({ account, records, note }: Stage): Promise<void> {
  const id = await records.createOne('contacts', { email: records.address('erased') });
  const erased = await records.eraseForPrivacy(id);
  note('privacy-deletion', metOr(erased.status === 204, `it is answered with HTTP ${erased.status}`));
  for (const archived of [false, true]) {
    const path = `${OBJECTS}/contacts/batch/read`;
    const body = { inputs: [{ id }], properties: ['hs_object_id'] };
    const answer = archived ? await account.queryArchived(path, body) : await account.query(path, body);
    if (listOf(answer.json, 'results').length === 0) continue;
    note('erased-is-gone', metOr(false, `it is still read${archived ? ' as an archived record' : ''}`));
    return;
  }
  note('erased-is-gone', metOr(true, ''));
}
