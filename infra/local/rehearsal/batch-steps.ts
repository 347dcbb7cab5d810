import { expectStatus, OBJECTS, type RawAnswer, StepStopped } from './account.ts';
import { type AssumptionVerdict, asAssumed, differs, metOr } from './assumption.ts';
import { listOf, partOf } from './json-parts.ts';
import { notSeen, notSeenWith } from './not-seen.ts';
import type { RehearsalStep, Stage } from './stage.ts';

const READ = `${OBJECTS}/contacts/batch/read`;
/** Documented limit of HubSpot for one batch read with history. */
const HISTORY_MOST = 50;
const NO_ADDRESS = 'not an address';
const NOBODY = 9_000_000_000_000_001;

export const BATCH_STEPS: readonly RehearsalStep[] = [
  { name: 'batches', about: 'batches in which one record is refused', run: batches },
  { name: 'reads', about: 'batch reads of records that do not exist', run: reads },
];

async function batches({ records, note }: Stage): Promise<void> {
  const created = await records.create('contacts', [
    { objectWriteTraceId: 'good', properties: { email: records.address('good') } },
    { objectWriteTraceId: 'bad', properties: { email: NO_ADDRESS } },
  ]);
  note('partial-create', partial(created));
  const [one, two] = await twoContacts(records);
  const updated = await records.update('contacts', [
    { id: one, objectWriteTraceId: one, properties: { jobtitle: 'Potter' } },
    { id: two, objectWriteTraceId: two, properties: { email: NO_ADDRESS } },
  ]);
  note('partial-update', partial(updated));
  note('trace-in-errors', traceObservation(updated, two));
  const refused = await records.update('contacts', [{ id: two, properties: { email: NO_ADDRESS } }]);
  note('refusal-detail', detailObservation(refused));
  const twice = ['Potter', 'Weaver'].map((jobtitle) => ({ id: one, properties: { jobtitle } }));
  const duplicate = await records.update('contacts', twice);
  note('duplicate-inputs', metOr(duplicate.status === 400, statusWords(duplicate, 'a record named twice')));
}

async function twoContacts(records: Stage['records']): Promise<readonly [string, string]> {
  const one = await records.createOne('contacts', { email: records.address('one') });
  const two = await records.createOne('contacts', { email: records.address('two') });
  return [one, two];
}

/** Expects an answer 207 with one result and one error. */
function partial(answer: RawAnswer): AssumptionVerdict {
  const results = listOf(answer.json, 'results').length;
  const errors = listOf(answer.json, 'errors').length;
  if (answer.status === 207 && results === 1 && errors === 1) return asAssumed();
  return differs(`HTTP ${answer.status} with ${results} results and ${errors} errors, expected 207, 1 and 1`);
}

function traceObservation(answer: RawAnswer, id: string): AssumptionVerdict {
  const [error] = listOf(answer.json, 'errors');
  if (answer.status !== 207 || error === undefined) return notSeen('no-update-refused');
  const trace = partOf(error, 'context', 'objectWriteTraceId');
  const isList = Array.isArray(trace) && trace.length === 1 && trace[0] === id;
  return metOr(isList, 'the error does not name its input in context.objectWriteTraceId');
}

function detailObservation(answer: RawAnswer): AssumptionVerdict {
  const { status } = answer;
  if (status !== 400) return notSeenWith('invalid-address-taken', { status });
  const [error] = listOf(answer.json, 'errors');
  const named = partOf(error, 'context', 'propertyName');
  const isNamed = Array.isArray(named) && named.includes('email');
  return metOr(isNamed, 'errors[] does not name the property in context.propertyName');
}

function statusWords({ status }: RawAnswer, about: string): string {
  return `${about} is answered with HTTP ${status}`;
}

async function reads({ account, records, note }: Stage): Promise<void> {
  const id = await records.createOne('contacts', { email: records.address('read') });
  const inputs = [{ id }, { id: String(NOBODY) }];
  const missing = await account.query(READ, { inputs, properties: ['hs_object_id'] });
  note('missing-records', missingObservation(missing));
  const many = Array.from({ length: HISTORY_MOST + 1 }, (_, index) => ({ id: String(NOBODY + index) }));
  const body = { inputs: many, propertiesWithHistory: ['hs_object_id'] };
  const tooMany = await account.query(READ, body);
  const words = `${HISTORY_MOST + 1} records with history are answered with HTTP ${tooMany.status}`;
  note('history-batch-limit', metOr(tooMany.status === 400, words));
  await archived({ account, records, note });
}

function missingObservation(answer: RawAnswer): AssumptionVerdict {
  const [error] = listOf(answer.json, 'errors');
  if (answer.status !== 207 || error === undefined)
    return differs(`HTTP ${answer.status}: the answer does not report the record that does not exist`);
  return metOr(error['category'] === 'OBJECT_NOT_FOUND', 'the category is not OBJECT_NOT_FOUND');
}

async function archived({ account, records, note }: Pick<Stage, 'account' | 'records' | 'note'>) {
  const id = await records.createOne('contacts', { email: records.address('archived') });
  const removed = await records.archiveContact(id);
  if (removed.status !== 204) throw new StepStopped(statusWords(removed, 'an archived record'));
  const body = { inputs: [{ id }], properties: ['hs_object_id'] };
  const plain = expectStatus(await account.query(READ, body), 200, 207);
  note(
    'archived-records',
    metOr(listOf(plain.json, 'results').length === 0, 'an archived record is read like others'),
  );
}
