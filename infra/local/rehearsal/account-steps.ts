import { API_VERSION } from '#shared/hubspot';
import { SECOND_MS } from '#shared/kernel';
import { DEFAULT_SETTINGS } from '../../sandbox/hubspot/hubspot-sandbox.ts';
import { ASSOCIATIONS, expectStatus, OBJECTS, type RawAnswer } from './account.ts';
import { type AssumptionVerdict, asAssumed, differs, metOr } from './assumption.ts';
import { jsonText, partOf } from './json-parts.ts';
import { notSeen, notSeenWith } from './not-seen.ts';
import { MARK } from './own-records.ts';
import type { RehearsalStep, Stage } from './stage.ts';

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

export const ACCOUNT_STEPS: readonly RehearsalStep[] = [
  { name: 'token', about: 'what HubSpot reports about the token', run: token },
  { name: 'limits', about: 'limits and their headers', run: limits },
  { name: 'searches', about: 'what happens when searches come too fast', run: searches },
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
