import { API_VERSION } from '#shared/hubspot';
import { SECOND_MS } from '#shared/kernel';
import { DEFAULT_SETTINGS } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import {
  ASSOCIATIONS,
  expectStatus,
  jsonText,
  listOf,
  MARK,
  OBJECTS,
  partOf,
  type RawAnswer,
  StepStopped,
} from './account.ts';
import { type AssumptionVerdict, asAssumed, differs, metOr, notSeen, notSeenWith } from './assumption.ts';
import type { RehearsalStep, Stage } from './stage.ts';

const SETTINGS = 'infra/sandbox/hubspot/settings.ts';
/** Our client relies on no fixed number. It reads the limit in answers, and waits after a refusal. */
const STAND_IN_LIMITS = 'infra/sandbox/hubspot/limits.ts';
const { rateLimits, scopes } = DEFAULT_SETTINGS;
const LIMIT_HEADERS = [
  'x-hubspot-ratelimit-daily',
  'x-hubspot-ratelimit-daily-remaining',
  'x-hubspot-ratelimit-max',
  'x-hubspot-ratelimit-remaining',
  'x-hubspot-ratelimit-interval-milliseconds',
] as const;
/** Number of searches to send at the same time: more than HubSpot allows in two seconds. */
const BURST = 12;
const BURST_MOST = 2 * rateLimits.searchSecondly;

export const REQUEST_STEPS: readonly RehearsalStep[] = [
  {
    name: 'token',
    about: 'what HubSpot reports about the token',
    run: token,
    assumptions: {
      'own-app-id': {
        what: 'HubSpot reports the id of the app that a token belongs to.',
        source: 'documented',
        reliedOnBy: 'infra/local/require-access.ts',
        toChange: 'infra/sandbox/hubspot/front-door.ts',
      },
      scopes: {
        what: 'The app of this project gets every scope that it asks for.',
        source: 'documented',
        reliedOnBy: 'infra/doctor/account-checks.ts',
        toChange: `${SETTINGS}: scopes`,
      },
    },
  },
  {
    name: 'limits',
    about: 'limits and their headers',
    run: limits,
    assumptions: {
      'account-details': {
        what: 'The account details hold the time zone and the currency.',
        source: 'documented',
        reliedOnBy: 'shared/hubspot/transport.ts',
        toChange: 'infra/sandbox/hubspot/front-door.ts',
      },
      'rate-headers': {
        what: 'Every answer but those of a search carries five headers with limits and what is left.',
        source: 'documented',
        reliedOnBy: 'shared/hubspot/transport.ts',
        toChange: `${SETTINGS}: rateHeaders`,
      },
      'daily-limit': {
        what: 'The app may send 625,000 requests a day (Professional account). Our client reads the limit in answers.',
        source: 'documented by plan',
        reliedOnBy: STAND_IN_LIMITS,
        toChange: `${SETTINGS}: rateLimits.daily`,
      },
      'ten-second-limit': {
        what: 'The app may send 190 requests in ten seconds. Our client waits when it is refused.',
        source: 'documented by plan',
        reliedOnBy: STAND_IN_LIMITS,
        toChange: `${SETTINGS}: rateLimits.tenSecondly`,
      },
      'association-limit': {
        what: 'Association calls are counted apart, 150 in ten seconds. Our client waits when it is refused.',
        source: 'documented by plan',
        reliedOnBy: STAND_IN_LIMITS,
        toChange: `${SETTINGS}: rateLimits.associationsTenSecondly`,
      },
      'correlation-id': {
        what: 'Every answer carries x-hubspot-correlation-id.',
        source: 'seen by others',
        reliedOnBy: 'shared/hubspot/failures.ts',
        toChange: 'infra/sandbox/hubspot/front-door.ts',
      },
    },
  },
  {
    name: 'searches',
    about: 'what happens when searches come too fast',
    run: searches,
    assumptions: {
      'search-limit': {
        what: 'An account may send five searches in a second.',
        source: 'documented',
        reliedOnBy: 'shared/hubspot/records.ts',
        toChange: `${SETTINGS}: rateLimits.searchSecondly`,
      },
      'limit-refusal': {
        what: 'A search beyond the limit is refused with policyName SECONDLY.',
        source: 'seen by others',
        reliedOnBy: 'shared/hubspot/failures.ts',
        toChange: `${SETTINGS}: refusalsNamePolicy`,
      },
      'search-headers': {
        what: 'The answer to a search carries no limit headers.',
        source: 'documented',
        reliedOnBy: 'shared/hubspot/transport.ts',
        toChange: `${SETTINGS}: searchRateHeaders`,
      },
    },
  },
  {
    name: 'batches',
    about: 'batches in which one record is refused',
    run: batches,
    assumptions: {
      'partial-create': {
        what: 'In a batch create with objectWriteTraceId on each input, an invalid input fails alone, with status 207.',
        source: 'documented',
        reliedOnBy: 'shared/hubspot/hubspot-client.ts',
        toChange: `${SETTINGS}: partialBatches`,
      },
      'partial-update': {
        what: 'In a batch update with objectWriteTraceId on each input, an invalid input fails alone, with status 207.',
        source: 'documented',
        reliedOnBy: 'shared/hubspot/records.ts',
        toChange: `${SETTINGS}: partialBatches`,
      },
      'trace-in-errors': {
        what: 'The error of an input names it in context.objectWriteTraceId, as a list.',
        source: 'our reading',
        reliedOnBy: 'shared/hubspot/failures.ts',
        toChange: `${SETTINGS}: errorsNameTrace`,
      },
      'refusal-detail': {
        what: 'A refused batch names the property in errors[].context.propertyName.',
        source: 'seen by others',
        reliedOnBy: 'shared/hubspot/failures.ts',
        toChange: `${SETTINGS}: validationDetail`,
      },
      'duplicate-inputs': {
        what: 'A batch that names a record twice is refused with status 400.',
        source: 'seen by others',
        reliedOnBy: 'shared/hubspot/records.ts',
        toChange: `${SETTINGS}: duplicateInputs`,
      },
    },
  },
  {
    name: 'reads',
    about: 'batch reads of records that do not exist',
    run: reads,
    assumptions: {
      'missing-records': {
        what: 'A batch read reports a record that does not exist as OBJECT_NOT_FOUND, with status 207.',
        source: 'seen by others',
        reliedOnBy: 'shared/hubspot/records.ts',
        toChange: `${SETTINGS}: missingRecords`,
      },
      'history-batch-limit': {
        what: 'More than 50 records with history are refused with status 400.',
        source: 'documented',
        reliedOnBy: 'shared/hubspot/records.ts',
        toChange: `${SETTINGS}: historyBatchMost`,
      },
      'archived-records': {
        what: 'A batch read without archived=true does not return archived records.',
        source: 'documented',
        reliedOnBy: 'shared/hubspot/records.ts',
        toChange: 'infra/sandbox/hubspot/record-routes.ts',
      },
    },
  },
];

async function token({ account, note }: Stage): Promise<void> {
  const { json } = expectStatus(await account.tokenInfo(), 200);
  note('own-app-id', metOr(partOf(json, 'appId') !== undefined, 'HubSpot does not report the app id'));
  const granted = partOf(json, 'scopes');
  const lacking = scopes.filter((scope) => !(Array.isArray(granted) && granted.includes(scope)));
  note(
    'scopes',
    Array.isArray(granted)
      ? metOr(lacking.length === 0, `the app lacks ${lacking.join(', ')}`)
      : notSeen('scopes-not-reported'),
  );
}

async function limits({ account, note }: Stage): Promise<void> {
  const details = expectStatus(await account.get(`/account-info/${API_VERSION}/details`), 200);
  const missing = ['timeZone', 'companyCurrency'].filter(
    (name) => jsonText(details.json, name) === undefined,
  );
  note('account-details', metOr(missing.length === 0, `lacks ${missing.join(', ')}`));
  const read = await account.query(`${OBJECTS}/contacts/batch/read`, READ_NOBODY);
  const lacked = LIMIT_HEADERS.filter((name) => read.headers[name] === undefined);
  note('rate-headers', metOr(lacked.length === 0, `an answer lacks ${lacked.join(', ')}`));
  note('daily-limit', limitObservation(read, 'x-hubspot-ratelimit-daily', rateLimits.daily));
  note('ten-second-limit', limitObservation(read, 'x-hubspot-ratelimit-max', rateLimits.tenSecondly));
  const associations = await account.query(`${ASSOCIATIONS}/contacts/companies/batch/read`, READ_NOBODY);
  const expected = rateLimits.associationsTenSecondly;
  note('association-limit', limitObservation(associations, 'x-hubspot-ratelimit-max', expected));
  note(
    'correlation-id',
    metOr(read.headers['x-hubspot-correlation-id'] !== undefined, 'an answer lacks x-hubspot-correlation-id'),
  );
}

/** Reads a record that does not exist. The step looks only at the headers of the answer. */
const READ_NOBODY = { inputs: [{ id: '9000000000000001' }], properties: ['hs_object_id'] };

function limitObservation({ headers }: RawAnswer, name: string, expected: number): AssumptionVerdict {
  const seen = headers[name];
  if (seen === undefined || !/^\d+$/.test(seen)) return notSeenWith('no-header', { header: name });
  return Number(seen) === expected ? asAssumed(seen) : differs(`${seen}, expected ${expected}`);
}

async function searches({ account, clock, signal, note }: Stage): Promise<void> {
  const filters = [{ propertyName: 'lastname', operator: 'EQ', value: MARK }];
  const body = { filterGroups: [{ filters }], properties: ['hs_object_id'], limit: 1 };
  const ask = () => account.query(`${OBJECTS}/contacts/search`, body, 'once');
  // Waits, because searches of the last second also count towards the limit.
  await clock.sleep(2 * SECOND_MS, signal);
  const answers = await Promise.all(Array.from({ length: BURST }, ask));
  const served = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  const counts = `${served.length} of ${BURST} searches sent at once were answered`;
  const isLimited = refused.length > 0 && served.length <= BURST_MOST;
  note('search-limit', metOr(isLimited, `${counts}, expected ${rateLimits.searchSecondly} a second`));
  const policy = jsonText(refused[0]?.json, 'policyName');
  note(
    'limit-refusal',
    refused.length === 0
      ? notSeen('no-search-refused')
      : metOr(policy === 'SECONDLY', 'a refused search does not say policyName SECONDLY'),
  );
  const [first] = served;
  const named = LIMIT_HEADERS.filter((name) => first?.headers[name] !== undefined);
  note(
    'search-headers',
    first === undefined
      ? notSeen('no-search-answered')
      : metOr(named.length === 0, 'the answer to a search carries limit headers'),
  );
  // Waits, to leave room for the account's other searches.
  await clock.sleep(2 * SECOND_MS, signal);
}

const READ = `${OBJECTS}/contacts/batch/read`;
const HISTORY_MOST = 50;
const NO_ADDRESS = 'not an address';
const NOBODY = 9_000_000_000_000_001;

async function batches({ records, note }: Stage): Promise<void> {
  const created = await records.create('contacts', [
    { objectWriteTraceId: 'good', properties: { email: records.address('good') } },
    { objectWriteTraceId: 'bad', properties: { email: NO_ADDRESS } },
  ]);
  note('partial-create', partial(created));
  const one = await records.createOne('contacts', { email: records.address('one') });
  const two = await records.createOne('contacts', { email: records.address('two') });
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
