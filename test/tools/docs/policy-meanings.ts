import { COMPARISONS } from '#inside/field-policy/whom/schemas.ts';

/** A row of the policy reference. The default is given only if the schema does not show it. */
export type PolicyMeaning = readonly [unit: string, effect: string, preset?: string];

const COMPARISON_MEANINGS = Object.fromEntries(
  Object.entries(COMPARISONS).map(([name, { meaning }]) => [name, meaning]),
);

const MAPPING = '[the mapping](../../shared/field-policy/MAPPING.md)';

/** Settings outside lists. */
export const POLICY_MEANINGS: Readonly<Record<string, PolicyMeaning>> = {
  version: ['', 'label of this policy; each write is stored with it'],
  timeZone: ['IANA name', 'where days and months of the budgets begin; a change counts from the next month'],
  mode: ['', '`shadow` proposes every value in `review` and writes none'],
  'fields.contacts': [
    '',
    'changed and added fields by property, or a list that replaces the defaults',
    MAPPING,
  ],
  'fields.companies': [
    '',
    'changed and added fields by property, or a list that replaces the defaults',
    MAPPING,
  ],
  'questions.contacts': [
    '',
    'the lookups to use, in this order; a lookup that is not listed is never bought',
    'all, in this order',
  ],
  'questions.wantEmail': ['', 'buys an email for a contact without one'],
  'questions.wantPhone': ['', 'buys a phone for a contact without one'],
  'questions.allowFirstNameAlone': ['', 'looks up contacts that have a first name and no last name'],
  'questions.fallThrough': ['', 'after "no match", tries the next lookup at its own price'],
  'questions.companies.funding': ['', 'buys this data with each company'],
  'questions.companies.technology': ['', 'buys this data with each company'],
  'questions.companies.contacts': ['', 'buys this data with each company'],
  'whom.contacts': ['', 'rules that say which records are looked up; the first that fits decides'],
  'whom.companies': ['', 'rules that say which records are looked up; the first that fits decides'],
  'freshness.contactsDays': ['days', 'age at which an answer about a contact is stale'],
  'freshness.companiesDays': ['days', 'age at which an answer about a company is stale'],
  associate: [
    '',
    "links a contact without a company to the one with the answer's domain; `create` also makes a missing one",
  ],
  jobChange: ['', 'on a new employer: `flag` asks for a review, `follow` writes the new employer'],
  'refresh.weights.contacts': [
    '',
    'weights that order the refreshes; the first row that fits counts',
    'customers and opportunities 10, sales qualified leads 3',
  ],
  'refresh.weights.companies': [
    '',
    'weights that order the refreshes; the first row that fits counts',
    'customers and opportunities 10, sales qualified leads 3',
  ],
  noMatchCost: [
    '',
    'what a lookup without a match is booked at: nothing, its base price, or its options too',
    '`full`',
  ],
  emptySearchCost: ['', 'what a search without results is booked at: nothing, or as much as one result'],
  noMatchRetryDays: [
    'days',
    'days until a lookup without a match is repeated, after the first time, the second, and so on; never decreasing',
  ],
  'creditPrice.amount': ['money', 'price of one credit, to show money beside credits', 'none'],
  'creditPrice.currency': [
    'ISO 4217 code',
    'currency of the price, such as `EUR`; needed beside `amount`',
    'none',
  ],
  doubtsChargedAfterHours: ['hours', 'books a request with an unknown outcome as charged after this time'],
  'hubSpotDailyReserve.live': [
    'share',
    "part of HubSpot's daily requests that new and changed records leave to other apps",
  ],
  'hubSpotDailyReserve.bulk': ['share', 'the same for imports, refreshes and backfills'],
  journalDays: ['days', 'how long writes can be explained and undone'],
  'privacy.keepDisclosures': [
    'days',
    'how long the proof of a lookup stays after the last data about the person',
  ],
  'privacy.retention.contacts': ['', 'rules for how long values are kept; the first that fits decides'],
  'privacy.retention.companies': ['', 'rules for how long values are kept; the first that fits decides'],
  'privacy.notice': ['', 'rules for who must be told that data was obtained'],
  'budgets.perDay': [
    'credits',
    'most that all purposes together may spend in this time; one of both is required',
  ],
  'budgets.perMonth': [
    'credits',
    'most that all purposes together may spend in this time; one of both is required',
  ],
  'budgets.purposes.*.perDay': ['credits', 'most that one purpose may spend in this time'],
  'budgets.purposes.*.perMonth': ['credits', 'most that one purpose may spend in this time'],
  testCreditsPerHour: [
    'credits',
    'most credits an hour to test whether an automatic stop can end; they count in the budgets',
  ],
  missAlarmCredits: [
    'credits',
    'cost of misses in a row at which the alarm "Nothing is enriched" rings at once',
  ],
  'people.creditsPerDay': ['credits', 'most credits a day that one HubSpot user may spend on the card'],
  'people.spend': ['ids of HubSpot users', 'may spend more on the card, within the budgets', 'none'],
  'people.decide': ['ids of HubSpot users', 'may accept an answer that contradicts the record', 'none'],
  'people.approve': [
    'ids of HubSpot users',
    'may start, approve and resume backfills, and start many records',
    'none',
  ],
  'people.resume': ['ids of HubSpot users', 'may resume spending after a person stopped it', 'none'],
  'addresses.mailProviders': [
    'domains',
    'more mail providers: an address there names no employer, and is not looked up',
    'none',
  ],
  'addresses.roleMailboxes': [
    'names before the @',
    'more mailboxes of offices: they are not looked up as persons',
    'none',
  ],
  'backfill.trial': ['records', 'size of the trial that a backfill begins with'],
  'backfill.trialPerStratum': ['records', 'least number of trial records for each type of lookup'],
};

/** Keys of list entries, by the table that shows them. */
export const POLICY_LISTS = {
  Fields: {
    about:
      'An entry of `fields`. If `fields` is an object, the key of an entry is its property. To change a default field, write only the settings that change.',
    of: ['fields.contacts', 'fields.companies'],
    keys: {
      property: ['', 'internal name of the HubSpot property'],
      from: [
        '',
        "key in the data service's answer, or a path such as `headquarters/city`; in a list, the first key with a value counts",
      ],
      convert: ['', 'how the value is converted'],
      write: ['', 'when the value may be written'],
      currency: ['', 'currency of an amount: `{ from }` or `{ is }` with three letters'],
      group: [
        '',
        '`employer`: written together with the other properties of the job, or not at all',
        '`employer` for fields of the job',
      ],
      shadow: ['', 'proposes the value in `review` and does not write it'],
      optional: ['', 'the field is skipped silently if the HubSpot account lacks the property'],
    },
  },
  'Lookup rules': {
    about: 'An entry of `whom.contacts` or `whom.companies`.',
    of: ['whom.contacts', 'whom.companies'],
    keys: {
      name: ['', 'name that people read, on one line and only once'],
      when: ['', 'conditions; all must hold'],
      enrich: ['', 'whether lookups may be bought for the record'],
      onRequest: ['', "with `enrich: false`: a person's request may still buy them"],
      refresh: ['', 'whether the record is looked up again when it is stale'],
      afterRetention: ['', 'whether the record may be looked up again after its values expired'],
      maxCredits: [
        'credits',
        'most that one run of the record may cost; options that would exceed it are left out',
      ],
      waitMinutes: [
        'minutes',
        'wait after creation, so that others can fill the record for free; a request of a person does not wait',
      ],
      wantEmail: ['', 'contacts only: overrules `questions.wantEmail`'],
      wantPhone: ['', 'contacts only: overrules `questions.wantPhone`'],
      funding: ['', 'companies only: overrules `questions.companies.funding`'],
      technology: ['', 'companies only: overrules `questions.companies.technology`'],
      contacts: ['', 'companies only: overrules `questions.companies.contacts`'],
    },
  },
  Conditions: {
    about: 'An entry of `when`. It has either `email` alone, or one property and one comparison.',
    of: ['whom.contacts.when'],
    keys: {
      property: ['', 'property of the record'],
      companyProperty: ['', "property of the contact's company"],
      email: ['', "kind of the contact's address"],
      ...COMPARISON_MEANINGS,
      orBlank: ['', 'an empty value fits too'],
    },
  },
  'Retention rules': {
    about: 'An entry of `privacy.retention.contacts` or `.companies`.',
    of: ['privacy.retention.contacts', 'privacy.retention.companies'],
    keys: {
      name: ['', 'name that people read'],
      when: ['', 'conditions, as above'],
      days: ['days', 'after this time our values are removed from the record'],
      refreshProlongs: ['', 'the days count from the newest answer instead of the first'],
    },
  },
  'Notice rules': {
    about: 'An entry of `privacy.notice`.',
    of: ['privacy.notice'],
    keys: {
      name: ['', 'name that people read'],
      when: ['', 'conditions, as above'],
      due: ['', 'whether these people must be told'],
      days: ['days', 'time until they must be told, from the day when the first data was obtained'],
    },
  },
  'Refresh weights': {
    about: 'An entry of `refresh.weights.contacts` or `.companies`. It has either `is` or `above`.',
    of: ['refresh.weights.contacts', 'refresh.weights.companies'],
    keys: {
      property: ['', 'property of the record'],
      is: ['', 'its value'],
      above: ['', 'its value is a greater number'],
      weight: ['', 'how much correct data is worth, compared with other records, which have 1'],
    },
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly about: string;
      readonly of: readonly string[];
      readonly keys: Readonly<Record<string, PolicyMeaning>>;
    }
  >
>;
