import type { ObjectType } from '#shared/crm';
import { MINUTE_MS, SECOND_MS } from '#shared/kernel';
import {
  ASSOCIATIONS,
  codeOf,
  expectStatus,
  type JsonRecord,
  jsonText,
  listOf,
  OBJECTS,
  partOf,
} from './account.ts';
import { type AssumptionVerdict, asAssumed, differs, metOr, notSeen, notSeenWith } from './assumption.ts';
import type { RehearsalStep, Stage } from './stage.ts';

const SETTINGS = 'infra/sandbox/hubspot/settings.ts';
/**
 * Longest delay of a search that the sweep tolerates. The sweep searches the last ten minutes, so one minute leaves
 * room for a slow pass.
 */
const SEARCH_LAG_MOST_MS = MINUTE_MS;
const SEARCH_WAIT_MS = 5 * MINUTE_MS;
const SEARCH_POLL_MS = 2 * SECOND_MS;

export const RECORD_STEPS: readonly RehearsalStep[] = [
  {
    name: 'values',
    about: 'the form in which values are kept',
    run: values,
    assumptions: {
      'lower-case-addresses': {
        what: 'Email addresses are kept in lower case.',
        source: 'seen by others',
        reliedOnBy: 'shared/identity/evidence.ts',
        toChange: `${SETTINGS}: lowerCaseEmails`,
      },
      'phones-as-written': {
        what: 'Phone numbers written by an app are kept as written.',
        source: 'our reading',
        reliedOnBy: 'shared/identity/phone-number.ts',
        toChange: `${SETTINGS}: formatPhones`,
      },
      'emptied-values': {
        what: 'An emptied property reads as null.',
        source: 'our reading',
        reliedOnBy: 'shared/hubspot/records.ts',
        toChange: `${SETTINGS}: emptiedValues`,
      },
      'bare-domains': {
        what: "A company's domain is kept without scheme, www and path.",
        source: 'seen by others',
        reliedOnBy: 'shared/identity/web-address.ts',
        toChange: `${SETTINGS}: bareDomains`,
      },
      'numbers-as-text': {
        what: 'A number reads as the text that was written.',
        source: 'seen by others',
        reliedOnBy: 'shared/ownership/may-write.ts',
        toChange: 'infra/sandbox/hubspot/input.ts',
      },
    },
  },
  {
    name: 'history',
    about: 'histories and their sources',
    run: history,
    assumptions: {
      'history-order': {
        what: 'The history of a property begins with the newest entry.',
        source: 'seen by others',
        reliedOnBy: 'shared/hubspot/records.ts',
        toChange: `${SETTINGS}: historyOrder`,
      },
      'own-source': {
        what: "The history shows writes of the app as INTEGRATION with the app's id.",
        source: 'seen by others',
        reliedOnBy: 'shared/enrichment/write-back/by-history.ts',
        toChange: `${SETTINGS}: historySource`,
      },
      'unchanged-writes': {
        what: 'Writing the same value again makes no history entry.',
        source: 'our reading',
        reliedOnBy: 'shared/enrichment/write-back/by-history.ts',
        toChange: `${SETTINGS}: unchangedWrites`,
      },
    },
  },
  {
    name: 'search-lag',
    about: 'when a new record is found',
    run: searchLag,
    assumptions: {
      'search-lag': {
        what: 'A search finds a new record within a minute.',
        source: 'our reading',
        reliedOnBy: 'shared/records/sweep-created.ts',
        toChange: `${SETTINGS}: searchDelayMs`,
      },
    },
  },
  {
    name: 'associations',
    about: 'associations that HubSpot makes',
    run: associations,
    assumptions: {
      'no-company-by-itself': {
        what: "HubSpot makes no company for a new contact's address.",
        source: 'a setting of each account',
        reliedOnBy: 'shared/enrichment',
        toChange: `${SETTINGS}: associateByEmailDomain`,
      },
      'first-is-primary': {
        what: "A contact's first company becomes its primary one.",
        source: 'documented',
        reliedOnBy: 'shared/hubspot/records.ts',
        toChange: 'infra/sandbox/hubspot/record-routes.ts',
      },
    },
  },
  {
    name: 'merge',
    about: 'what a merge leaves',
    run: merge,
    assumptions: {
      'merge-makes-a-new-id': {
        what: 'A merge of contacts makes a record with a new id.',
        source: 'documented; a beta keeps the id',
        reliedOnBy: 'shared/hubspot/records.ts',
        toChange: `${SETTINGS}: mergeKeepsPrimaryId`,
      },
      'merged-id-is-read': {
        what: 'An id that was merged away reads as the merged record.',
        source: 'seen by others',
        reliedOnBy: 'shared/hubspot/records.ts',
        toChange: `${SETTINGS}: mergedIdsRead`,
      },
      'merge-fills-blanks': {
        what: "A merge fills the primary record's blanks from the other record.",
        source: 'documented',
        reliedOnBy: 'shared/records/transitions.ts',
        toChange: 'infra/sandbox/hubspot/record-routes.ts',
      },
      'merge-keeps-addresses': {
        what: 'A merge keeps the other address in hs_additional_emails.',
        source: 'documented',
        reliedOnBy: 'shared/identity/record-identity.ts',
        toChange: 'infra/sandbox/hubspot/record-routes.ts',
      },
      'merged-id-is-not-written': {
        what: 'A write under an id that was merged away is refused.',
        source: 'seen by others',
        reliedOnBy: 'shared/hubspot/records.ts',
        toChange: 'infra/sandbox/hubspot/record-routes.ts',
      },
    },
  },
  {
    name: 'erase',
    about: 'what a privacy deletion leaves',
    run: erase,
    assumptions: {
      'privacy-deletion': {
        what: 'A privacy deletion by the API is answered with status 204.',
        source: 'documented',
        reliedOnBy: 'shared/privacy',
        toChange: 'infra/sandbox/hubspot/record-routes.ts',
      },
      'erased-is-gone': {
        what: 'A contact is no longer read after its privacy deletion.',
        source: 'documented: within 30 days',
        reliedOnBy: 'shared/privacy/audit-deletions.ts',
        toChange: 'infra/sandbox/hubspot/records.ts',
      },
    },
  },
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

const PRIMARY_TYPE = 1;

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
  const found = async (query: string) => {
    const body = { inputs: [{ id }], properties: ['hs_object_id'] };
    const answer = await account.query(`${OBJECTS}/contacts/batch/read${query}`, body);
    return listOf(answer.json, 'results').length > 0;
  };
  const [isLive, isArchived] = [await found(''), await found('?archived=true')];
  const words = `it is still read${isLive ? '' : ' as an archived record'}`;
  note('erased-is-gone', metOr(!isLive && !isArchived, words));
}
