import type { ObjectType } from '#shared/crm';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import { ASSOCIATIONS, expectStatus, OBJECTS } from './account.ts';
import { type AssumptionVerdict, asAssumed, differs, metOr } from './assumption.ts';
import { type JsonRecord, jsonText, listOf, partOf } from './json-parts.ts';
import { notSeen, notSeenWith } from './not-seen.ts';
import type { RehearsalStep, Stage } from './stage.ts';

/**
 * Longest delay of a search that the sweep tolerates. The sweep searches the last ten minutes, so one minute leaves
 * room for a slow pass.
 */
const SEARCH_LAG_MOST_MS = MINUTE_MS;
const SEARCH_WAIT_MS = 5 * MINUTE_MS;
const SEARCH_POLL_MS = 2 * SECOND_MS;

export const VALUE_STEPS: readonly RehearsalStep[] = [
  { name: 'values', about: 'the form in which values are kept', run: values },
  { name: 'history', about: 'histories and their sources', run: history },
  { name: 'search-lag', about: 'when a new record is found', run: searchLag },
  { name: 'associations', about: 'associations that HubSpot makes', run: associations },
];

type Names = readonly string[];

async function readOne(
  { account }: Pick<Stage, 'account'>,
  wish: {
    readonly objectType: ObjectType;
    readonly id: string;
    readonly names: Names;
    readonly past?: Names;
  },
): Promise<JsonRecord> {
  const { objectType, id, names, past } = wish;
  const body = { inputs: [{ id }], properties: names, ...(past && { propertiesWithHistory: past }) };
  const answer = await account.query(`${OBJECTS}/${objectType}/batch/read`, body);
  return listOf(expectStatus(answer, 200).json, 'results')[0] ?? {};
}

const PHONE = '+1 (202) 555-0147';

async function values(stage: Stage): Promise<void> {
  const { records, note } = stage;
  const [email, domain] = [records.address('Upper.Case'), records.domain('kept')];
  const id = await records.createOne('contacts', { email, phone: PHONE, jobtitle: 'Potter' });
  const contact = await readOne(stage, { objectType: 'contacts', id, names: ['email', 'phone'] });
  const keptEmail = jsonText(contact, 'properties', 'email');
  note('lower-case-addresses', metOr(keptEmail === email.toLowerCase(), 'an address keeps its capitals'));
  const keptPhone = jsonText(contact, 'properties', 'phone');
  note('phones-as-written', metOr(keptPhone === PHONE, 'a phone number is kept in another form'));
  await records.update('contacts', [{ id, properties: { jobtitle: '' } }]);
  const emptied = await readOne(stage, { objectType: 'contacts', id, names: ['jobtitle'] });
  const value = partOf(emptied, 'properties', 'jobtitle');
  note('emptied-values', metOr(value === null, 'an emptied property does not read as null'));
  const properties = { domain: `https://www.${domain}/about`, numberofemployees: '42' };
  const companyId = await records.createOne('companies', properties);
  const names = ['domain', 'numberofemployees'];
  const company = await readOne(stage, { objectType: 'companies', id: companyId, names });
  const bare = jsonText(company, 'properties', 'domain') === domain;
  note('bare-domains', metOr(bare, 'a domain is not kept without scheme, www and path'));
  const number = jsonText(company, 'properties', 'numberofemployees');
  note('numbers-as-text', metOr(number === '42', 'a number does not read as the text that was written'));
}

async function history(stage: Stage): Promise<void> {
  const { account, records, clock, signal, note } = stage;
  const id = await records.createOne('contacts', { email: records.address('past'), jobtitle: 'Potter' });
  await clock.sleep(SECOND_MS, signal);
  await records.update('contacts', [{ id, properties: { jobtitle: 'Weaver', city: 'Bergen' } }]);
  await clock.sleep(SECOND_MS, signal);
  await records.update('contacts', [{ id, properties: { city: 'Bergen' } }]);
  const wish = { objectType: 'contacts', id, names: ['jobtitle'], past: ['jobtitle', 'city'] } as const;
  const record = await readOne(stage, wish);
  const entries = listOf(record, 'propertiesWithHistory', 'jobtitle');
  const times = entries.map(({ timestamp }) => Date.parse(String(timestamp)));
  const isNewestFirst = times.every((time, index) => index === 0 || (times[index - 1] ?? 0) >= time);
  const isSeen = entries.length === 2;
  note(
    'history-order',
    isSeen
      ? metOr(isNewestFirst, 'the oldest entry comes first')
      : notSeenWith('history-length', { entries: entries.length }),
  );
  const token = await account.tokenInfo();
  note('own-source', ownSource(entries[0], String(partOf(token.json, 'appId') ?? '')));
  const written = listOf(record, 'propertiesWithHistory', 'city').length;
  note('unchanged-writes', metOr(written === 1, `writing the same value again made ${written} entries`));
}

function ownSource(entry: JsonRecord | undefined, appId: string): AssumptionVerdict {
  if (entry === undefined) return notSeen('no-history');
  const { sourceType, sourceId } = entry;
  if (sourceType !== 'INTEGRATION') return differs(`the source type is ${codeOf(sourceType)}`);
  if (appId === '') return asAssumed('INTEGRATION; the app id is not known');
  return metOr(sourceId === appId, 'the source id is not the app id');
}

/** Quotes the text only if it is a code, because any other text could be a value. */
function codeOf(value: unknown): string {
  return typeof value === 'string' && /^[A-Z_]{2,40}$/.test(value) ? value : 'no code';
}

async function searchLag({ account, records, clock, signal, note }: Stage): Promise<void> {
  const email = records.address('late');
  await records.createOne('contacts', { email });
  const startedMs = clock.monotonic();
  const filters = [{ propertyName: 'email', operator: 'EQ', value: email }];
  const body = { filterGroups: [{ filters }], properties: ['hs_object_id'], limit: 1 };
  for (;;) {
    const answer = await account.query(`${OBJECTS}/contacts/search`, body);
    const tookMs = clock.monotonic() - startedMs;
    const seconds = Math.round(tookMs / SECOND_MS);
    if (listOf(expectStatus(answer, 200).json, 'results').length > 0) {
      const isSoon = tookMs <= SEARCH_LAG_MOST_MS;
      note('search-lag', isSoon ? asAssumed(`${seconds} s`) : differs(`found after ${seconds} s`));
      return;
    }
    if (tookMs > SEARCH_WAIT_MS) {
      note('search-lag', differs(`not found within ${seconds} s`));
      return;
    }
    await clock.sleep(SEARCH_POLL_MS, signal);
  }
}

async function associations(stage: Stage): Promise<void> {
  const { account, records, note } = stage;
  const contact = await records.createOne('contacts', { email: records.address('member') });
  const targets = async () => {
    const path = `${ASSOCIATIONS}/contacts/companies/batch/read`;
    const answer = expectStatus(await account.query(path, { inputs: [{ id: contact }] }), 200, 207);
    return listOf(answer.json, 'results').flatMap((result) => listOf(result, 'to'));
  };
  const before = await targets();
  const isAlone = before.length === 0;
  note('no-company-by-itself', metOr(isAlone, "HubSpot made a company for the contact's address"));
  const company = await records.createOne('companies', { domain: records.domain('employer') });
  expectStatus(await records.associate({ contact, company }), 200, 201);
  if (!isAlone) {
    note('first-is-primary', notSeen('company-before'));
    return;
  }
  const types = (await targets()).flatMap((target) => listOf(target, 'associationTypes'));
  const isPrimary = types.some((type) => partOf(type, 'typeId') === PRIMARY_TYPE);
  note('first-is-primary', metOr(isPrimary, 'the first company is not the primary one'));
}

/** HubSpot's id of the association type "contact to primary company". */
const PRIMARY_TYPE = 1;
