import { beforeAll, describe, expect, it } from 'vitest';
import type { LoggedRequest } from '../../../infra/sandbox/data-service/data-service-sandbox.ts';
import type { HistoryEntry, StoredRecord } from '../../../infra/sandbox/hubspot/state.ts';
import type { Evidence, Told } from './oracle/evidence.ts';
import { judge } from './oracle/judge.ts';
import { type Plan, QUIET, QUIET_ROUND, type Round } from './plan.ts';
import { simulate } from './simulate.ts';

const ROUND: Round = { ...QUIET_ROUND, lastsMs: 60_000 };

/** A quiet day: five contacts and two companies are enriched. */
const PLAN: Plan = {
  seed: 1,
  workers: 1,
  perDay: 20,
  purpose: undefined,
  timeZone: 'UTC',
  freshDays: 90,
  noMatchCost: 'full',
  rateAlgorithm: 'sliding',
  rateLimitPerMinute: 20,
  latencyMs: 3_000,
  portalLatencyMs: 0,
  wantPhone: false,
  duplicateRate: 0,
  outOfOrder: false,
  believed: [true],
  companies: 0,
  hurried: 0,
  refresh: QUIET,
  rounds: [
    {
      ...ROUND,
      created: [
        { form: 'url', who: 0 },
        { form: 'email', who: 1 },
        { form: 'company', who: 0 },
        { form: 'name', who: 2 },
        { form: 'url', who: 3 },
        { form: 'page', who: 2 },
        { form: 'url', who: 4 },
      ],
    },
  ],
};

let honest: Evidence;
beforeAll(async () => {
  ({ evidence: honest } = await simulate(PLAN));
});

const told = (change: Partial<Told>): Evidence => ({ ...honest, told: { ...honest.told, ...change } });

/** The vendor's log with one request more, and the bill with it. */
function andThen(change: Partial<LoggedRequest>, asked = /./): Evidence {
  const first = honest.bill.requests.find(({ path }) => asked.test(path));
  if (!first) throw new Error('Nothing was asked.');
  const more = { ...first, ...change };
  const { requests, creditsCharged } = honest.bill;
  return {
    ...honest,
    bill: { requests: [...requests, more], creditsCharged: creditsCharged + more.credits },
  };
}

/** The same request again and again from this time on, and nothing else. */
function withRequests(
  count: number,
  { everyMs, fromMs = 0 }: { readonly everyMs: number; readonly fromMs?: number },
  change: Partial<Record<keyof LoggedRequest, unknown>>,
): Evidence {
  const [first] = honest.bill.requests;
  const requests = Array.from(
    { length: count },
    (_, index) => ({ ...first, ...change, atMs: fromMs + index * everyMs }) as LoggedRequest,
  );
  return { ...honest, bill: { ...honest.bill, requests } };
}

/** The first contact that holds the property, with something done to it. */
function contactWith(property: string, doTo: (record: StoredRecord) => void): Evidence {
  const hubSpot = structuredClone(honest.hubSpot);
  const found = Object.values(hubSpot.records['0-1']).find(({ history }) => history[property]);
  if (!found) throw new Error(`No contact has ${property}.`);
  doTo(found);
  return { ...honest, hubSpot };
}

const byHand = (value: string, timestamp: number): HistoryEntry => ({
  value,
  timestamp,
  sourceType: 'CRM_UI',
  sourceId: 'userId:1001',
});

/** A minute before our own value somebody had written another over ours, or emptied it. */
function writtenBefore(value: string): Evidence {
  return contactWith('jobtitle', ({ history }) => {
    const [ours] = history['jobtitle'] ?? [];
    if (!ours) return;
    const earlier = { ...ours, timestamp: ours.timestamp - 90_000 };
    history['jobtitle'] = [ours, byHand(value, ours.timestamp - 60_000), earlier];
  });
}

type ToldRecord = Told['records'][number];

/** The record with another card. Without values, all of them have changed their owner. */
function withCard(record: ToldRecord, change: Partial<NonNullable<ToldRecord['card']>>): ToldRecord {
  const { card } = record;
  if (!card) return record;
  const values = change.values && card.values.map((value) => ({ ...value, now: 'empty' as const }));
  return { ...record, card: { ...card, ...change, ...(values && { values }) } };
}

/** What `explain` tells of each record. */
const explained = (text: string | undefined): Evidence =>
  told({ records: honest.told.records.map(({ name }) => ({ name, explained: text })) });

const contacts = () => Object.values(honest.hubSpot.records['0-1']);

/** All contacts were deleted for privacy. */
const erased = (when: Omit<Evidence['erased'][number], 'id' | 'properties'>) => ({
  erased: contacts().map(({ id, values }) => ({ id, properties: values, ...when })),
});

const LOST = { fault: 'hang', answeredAtMs: undefined };
const optedOut = ({ history }: StoredRecord) => {
  history['hs_contact_enrichment_opt_out'] = [byHand('true', 0)];
};
const later = () => honest.endedAtMs - 60_000;
const ABOUT_A_PERSON = /[?&](?:email|network_url)=/;
const ALWAYS = [{ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }];
const agreeing = (change: Partial<Evidence['agreed']>): Evidence => ({
  ...honest,
  agreed: { ...honest.agreed, ...change },
});

describe('the oracle', () => {
  it('finds nothing where nothing is wrong', () => {
    expect(judge(honest)).toEqual([]);
    expect(honest.bill.creditsCharged).toBeGreaterThan(3);
  });

  it.each<[string, () => Evidence, RegExp]>([
    [
      'a credit that no request explains',
      () => ({ ...honest, bill: { ...honest.bill, creditsCharged: 99 } }),
      /bill says 99/,
    ],
    [
      'a request that was not booked',
      () => andThen({ path: '/api/v1/people/lookup/email?email=a%40b.com', atMs: later() }),
      /reverseEmail: charged/,
    ],
    [
      'a booking that is not on the bill',
      () => told({ ledger: honest.told.ledger.replace(/posted,3/, 'posted,4') }),
      /(personProfile|lookUpPerson): charged/,
    ],
    [
      'a reservation that is never settled',
      () => told({ ledger: honest.told.ledger.split('\r\n').slice(0, -2).join('\r\n') }),
      /still pending/,
    ],
    ['a ledger that does not verify', () => told({ verified: '{"ok":false}' }), /does not verify/],
    [
      'a report that is not the ledger',
      () => told({ spend: honest.told.spend.replace(/"spentMonthCredits": *\d+/, '"spentMonthCredits":1') }),
      /spend reports 1/,
    ],
    [
      'a record whose total is not the sum of its charges',
      () =>
        told({
          records: honest.told.records.map(({ name, explained: text = '{}' }) => ({
            name,
            explained: JSON.stringify({ ...JSON.parse(text), creditsSpent: 9 }),
          })),
        }),
      /shows 9 credits, and its charges are/,
    ],
    ['a question that is paid twice', () => andThen({ atMs: later() }), /was asked again: found/],
    ['a day over its budget', () => agreeing({ perDay: 4 }), /of 4 a day/],
    [
      'a minute over the rate',
      () => ({
        ...agreeing({ rateLimitPerMinute: 1 }),
        bill: {
          ...honest.bill,
          requests: honest.bill.requests.map((each, index) => ({
            ...each,
            atMs: each.atMs + index * 10_000,
          })),
        },
      }),
      /more than 1 requests/,
    ],
    [
      'a refusal for the rate',
      () => andThen({ atMs: later(), status: 429, credits: 0 }),
      /refused a request for our rate/,
    ],
    [
      'a value of somebody that was overwritten',
      () => writtenBefore('Boss'),
      /replaced another author's value/,
    ],
    ['an emptied value that was filled', () => writtenBefore(''), /had emptied it/],
    [
      'a value that comes over what somebody had brought back',
      () => ({
        ...honest,
        undone: contacts().map(({ id }) => ({ id, atMs: 0, property: 'jobtitle', to: 'Boss' })),
      }),
      /jobtitle of \d+ replaced a value that a person had restored/,
    ],
    [
      'a value of a person who was rejected before',
      () => ({
        ...honest,
        rejected: contacts().map(({ id, history }) => ({
          objectType: 'contacts',
          id,
          atMs: 0,
          values: { jobtitle: history['jobtitle']?.[0]?.value ?? '' },
        })),
      }),
      /jobtitle of contacts \d+ is again that of the rejected/,
    ],
    ['a question about who opted out', () => contactWith('email', optedOut), /had opted out/],
    [
      'a question about who was deleted for privacy',
      () => ({ ...andThen({ atMs: later() }, ABOUT_A_PERSON), ...erased({ atMs: later() - 3_540_000 }) }),
      /deleted for privacy/,
    ],
    [
      'a question about somebody a minute after the deletion was known',
      () => ({
        ...andThen({ atMs: later() }, ABOUT_A_PERSON),
        ...erased({ atMs: later() - 61_000, toldAtMs: later() - 60_000 }),
      }),
      /deleted for privacy/,
    ],
    [
      'personal data in a log',
      () => ({ ...honest, logs: decodeURIComponent(honest.bill.requests.map(({ path }) => path).join(' ')) }),
      /log line/,
    ],
    ['a record that nobody knows', () => explained(undefined), / is unknown$/],
    ['a record that waits for ever', () => explained('{"waiting":{"reason":"rate"}}'), /still waits/],
    ...(
      [
        ['total', { creditsSpent: 99 }],
        ['state', { standing: { kind: 'unknown', label: '', why: '' } }],
        ['next check', { nextCheckAtMs: 7 }],
        ['owner', { values: [] }],
      ] as const
    ).map(([fact, change]): [string, () => Evidence, RegExp] => [
      `another ${fact} at the card than in explain`,
      () => told({ records: honest.told.records.map((each) => withCard(each, change)) }),
      fact === 'owner' ? /jobtitle in explain and at the card/ : new RegExp(`another ${fact} in explain`),
    ]),
    [
      'a stop that ended in the past',
      () => told({ spend: JSON.stringify({ ...JSON.parse(honest.told.spend), stops: [{ untilMs: 7 }] }) }),
      /ends in the past/,
    ],
    ['a record without an outcome', () => explained('{}'), /has no outcome/],
    [
      'a failure for a doubt that there is not',
      () => explained('{"outcome":{"kind":"failed","code":"charge-unknown"}}'),
      /failed for a doubt that the books do not know/,
    ],
    [
      'a run that is lost',
      () => told({ runs: '{"opened":4,"ended":3,"waiting":0,"running":0}' }),
      /do not add up/,
    ],
    [
      'an import that takes what is kept for leads',
      () => ({
        ...told({ ledger: honest.told.ledger.replaceAll(',live,', ',import,') }),
        agreed: { ...honest.agreed, perDay: 12 },
      }),
      /import took \d+ credits .* kept from it/,
    ],
    [
      'a purpose beyond its budget',
      () => agreeing({ purpose: { name: 'live', perDay: 3 } }),
      /beyond its own budget/,
    ],
    [
      'a write after its person has opted out',
      () => contactWith('jobtitle', optedOut),
      /was written \d+ ms after its person had opted out/,
    ],
    [
      'an answer about somebody who was deleted for privacy',
      () => ({ ...honest, ...erased({ atMs: 0 }) }),
      /is kept though it was deleted for privacy/,
    ],
    [
      'a doubt without a reason',
      () => ({
        ...told({ ledger: honest.told.ledger.replaceAll(',posted,', ',doubtful,') }),
        quiet: ALWAYS,
      }),
      /became a doubt although nothing had befallen it/,
    ],
    [
      'ten requests in a row that are lost',
      () => withRequests(10, { everyMs: 30_000 }, LOST),
      /\d+ requests in a row were lost, and one was sent 30000 ms after the last/,
    ],
    [
      'a probe that comes before the last one fits into what probes may cost',
      () => withRequests(5, { everyMs: 240_000 }, LOST),
      /4 requests in a row were lost, and one was sent 240000 ms after the last/,
    ],
    [
      'questions while the key is refused',
      () => withRequests(6, { everyMs: 300_000 }, { status: 401, answeredAtMs: undefined }),
      /after the key had been refused/,
    ],
    [
      'a value that belongs to somebody else',
      () =>
        contactWith('jobtitle', ({ history }) => {
          history['jobtitle'] = (history['jobtitle'] ?? []).map((ours) => ({ ...ours, value: 'Boss' }));
        }),
      /jobtitle of \d+ belongs to another person or company: Boss/,
    ],
    [
      'a title beside another employer',
      () =>
        contactWith('jobtitle', ({ history }) => {
          history['company'] = [byHand('Firm 1', 0)];
        }),
      /of another employer than Firm 1/,
    ],
    [
      'a request that does not wait after a refusal',
      () => {
        const fromMs = (honest.bill.requests[0]?.atMs ?? 0) - 40_000;
        return { ...honest, refusals: [{ fromMs, toMs: fromMs + 60_000 }] };
      },
      /40000 ms after one had been refused for the rate/,
    ],
    [
      'purchases while nothing can be written',
      () => {
        const every = { everyMs: 360_000, fromMs: 360_000 };
        return {
          ...withRequests(6, every, { path: '/api/v1/people/profile?network_url=a' }),
          closed: ALWAYS,
        };
      },
      /2 answers were bought one after the other while HubSpot took no writes/,
    ],
    [
      'values that were not written for days after HubSpot took them again',
      () => ({
        ...contactWith('jobtitle', (record) => Object.assign(record, { createdAt: 1 })),
        closed: [{ fromMs: 0, toMs: 2 }],
      }),
      /was written only \d+ ms after HubSpot took writes again/,
    ],
    ['a phone that was not bought', () => agreeing({ wantPhone: true }), /never got the phone/],
    [
      'a record that is given up for a refusal',
      () => ({ ...honest, refusedForGood: ['contacts#1'] }),
      /contacts#1 was given up/,
    ],
    [
      'a price that was not kept to',
      () => ({
        ...told({ ledger: honest.told.ledger.replaceAll(',live,', ',manual,') }),
        prices: honest.told.records.map(({ name }) => ({
          record: name.replace('/', '#'),
          atMs: honest.bill.requests[0]?.atMs ?? 0,
          credits: 0,
        })),
      }),
      /\d credits were set aside for contacts#\d+, of 0 agreed to/,
    ],
    ['a message that is left', () => told({ queued: 1 }), /messages are left/],
  ])('sees %s', (_, evidence, problem) => {
    expect(judge(evidence())).toContainEqual(expect.stringMatching(problem));
  });
});
