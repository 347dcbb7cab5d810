import { describe, expect, it } from 'vitest';
import { planQuestions } from '#inside/enrichment/ask/plan-record.ts';
import {
  type Delivery,
  endedDisclosure,
  forgotten,
  withRecord,
  withRequest,
} from '#inside/questions/people/disclosure-transitions.ts';
import { peopleIn, withoutPeople } from '#inside/questions/people/stored-people.ts';
import { createSuppressionList } from '#inside/questions/people/suppression-list.ts';
import {
  type DisclosedRequest,
  MAX_DISCLOSED_REQUESTS,
  type SuppressionItem,
} from '#inside/questions/schemas.ts';
import { parsePolicy } from '#shared/field-policy';
import { DAY_MS } from '#shared/kernel';
import { identifiersOfRecord } from '#shared/privacy';
import {
  allKeys,
  answersOf,
  dropAnswers,
  dropAnswersAbout,
  identifiersOfAnswer,
  questionKey,
} from '#shared/questions';
import { createManualClock } from '../../../../harness/manual-clock.ts';
import { createMemoryItems } from '../../../../harness/memory-items.ts';
import {
  answerTo,
  DOMAIN,
  factsOf,
  human,
  keysOf,
  personRecord,
  questionsAbout,
  tracesOf,
} from '../../privacy/people.ts';
import { openShelf } from '../../privacy/shelf.ts';
import { digest, found, NOON } from '../asking.ts';

const PERSON = { person: 'p', identifiers: ['p'] };
const request = (atMs: number, fields = ['title']): DisclosedRequest => ({
  source: 'data-service',
  operation: 'reverseEmail',
  question: 'q',
  atMs,
  sent: ['email'],
  fields,
  purpose: 'live',
  answerUntilMs: atMs + 1,
});
const delivery = (atMs: number, askedAtMs: number): Delivery => ({
  record: 'contacts#1',
  operation: 'reverseEmail',
  properties: ['jobtitle'],
  atMs,
  askedAtMs,
});
const held = withRecord(withRequest(undefined, PERSON, request(10)), PERSON, delivery(11, 10));
const ended = endedDisclosure(held, 100);

describe('an ended disclosure record', () => {
  it.each([
    ['the delivery of a stored answer', withRecord(ended, PERSON, delivery(101, 10)), 10],
    ['an answer, and counts from it', withRequest(ended, PERSON, request(150)), 150],
  ])('begins anew with %s', (_, again, atMs) => {
    expect(again).toMatchObject({ obtained: { firstAtMs: atMs, lastAtMs: atMs } });
    expect(again).not.toHaveProperty('endedAtMs');
  });

  it.each([
    ['a delivery before the end', withRecord(ended, PERSON, delivery(100, 10))],
    ['a request before the end', withRequest(ended, PERSON, request(99))],
    ['a request that found nobody', withRequest(ended, PERSON, request(150, []))],
  ])('stays ended after %s', (_what, item) => {
    expect([item.endedAtMs, item.obtained]).toEqual([100, held.obtained]);
  });

  it('of a forgotten person stays the proof', () => {
    const proof = forgotten(held, 90);
    expect(endedDisclosure(proof, 100)).toBe(proof);
    expect(withRecord(proof, PERSON, delivery(101, 101))).toEqual(proof);
  });
});

describe('a disclosure record', () => {
  it('learns identifiers', () => {
    const known = withRequest(held, { person: 'p', identifiers: ['p', 'q'] }, request(20));
    expect(known.identifiers).toEqual(['p', 'q']);
    expect(withRequest(known, PERSON, request(21)).identifiers).toEqual(['p', 'q']);
  });

  it('sums up the oldest requests by operation', () => {
    let item = withRequest(undefined, PERSON, { ...request(1), operation: 'personProfile' });
    for (let nth = 2; nth <= MAX_DISCLOSED_REQUESTS + 3; nth += 1)
      item = withRequest(item, PERSON, request(nth));
    expect(item.requests).toHaveLength(MAX_DISCLOSED_REQUESTS);
    expect(item.earlierRequests?.map(({ operation, times }) => [operation, times])).toEqual([
      ['personProfile', 1],
      ['reverseEmail', 2],
    ]);
  });
});

const WHO = human(0);
const OTHERS = [human(1), human(2)];
/** Has the same name, in the same company, and the same switchboard's phone. */
const NAMESAKE = { ...human(6), phone: WHO.phone };
const QUESTIONS = questionsAbout(WHO);
const GONE = new Set(allKeys(keysOf(factsOf(WHO))));
const all = {
  gone: GONE,
  isDropped: (_: { readonly askedAtMs: number }) => true,
  isOwn: false,
  isOfCompany: false,
};

type Way = keyof typeof QUESTIONS;
const keyOf = (way: Way) => questionKey(QUESTIONS[way], digest);

async function stored(way: Way, record: Readonly<Record<string, unknown>>) {
  const shelf = openShelf([found(record)]);
  await shelf.ask(QUESTIONS[way]);
  const left = async () =>
    answersOf(await shelf.item(QUESTIONS[way])).filter(({ kind }) => kind === 'found').length;
  const drop = (more: Partial<typeof all> = {}) =>
    dropAnswersAbout(shelf.forgetting, keyOf(way), { ...all, ...more });
  return { ...shelf, left, drop };
}

describe('an answer about one person', () => {
  it.each(['phone', 'name'] as const)(
    'to a question by %s stays if it is about a colleague, and goes if it is about the person',
    async (way) => {
      const colleagues = await stored(way, personRecord(NAMESAKE, ['email', 'phone']));
      expect(await colleagues.drop()).toBe(0);
      expect(await colleagues.left()).toBe(1);
      const own = await stored(way, personRecord(WHO, ['email']));
      expect(await own.drop()).toBe(1);
      expect(own.foundOf(tracesOf(WHO))).toEqual([]);
    },
  );

  it('goes if it was asked for the person’s record, whomever it is about', async () => {
    const { drop, left } = await stored('name', personRecord(NAMESAKE));
    expect(await drop({ isOwn: true })).toBe(1);
    expect(await left()).toBe(0);
  });

  it('goes if the person’s address was asked, whatever came', async () => {
    const { drop, left } = await stored('email', { title: 'Engineer' });
    expect(await drop()).toBe(1);
    expect(await left()).toBe(0);
  });
});

describe('a list', () => {
  it.each(['company', 'search'] as const)('in answer to %s loses the entry of the person', async (way) => {
    const { drop, left, foundOf } = await stored(way, answerTo(way, WHO, OTHERS));
    expect(await drop()).toBe(1);
    expect(await left()).toBe(1);
    expect(foundOf([WHO.slug, WHO.email])).toEqual([]);
    expect(foundOf(OTHERS.map(({ slug }) => slug))).toHaveLength(2);
  });

  it.each([
    ['loses entries', NOON - DAY_MS, NOON + DAY_MS, 1],
    ['keeps entries that were obtained at another time', 0, NOON - DAY_MS, 0],
  ])('%s', async (_what, fromMs, toMs, entries) => {
    const isDropped = ({ askedAtMs }: { readonly askedAtMs: number }) =>
      askedAtMs >= fromMs && askedAtMs <= toMs;
    const { drop } = await stored('search', answerTo('search', WHO, OTHERS));
    expect(await drop({ isDropped })).toBe(entries);
  });
});

it('an answer about a company loses only entries if it is a list of a search', async () => {
  const { drop, left } = await stored('search', answerTo('search', WHO, OTHERS));
  expect(await drop({ isOfCompany: true })).toBe(1);
  expect(await left()).toBe(1);
});

it('dropping stored answers takes those of the time alone, and finds nothing the second time', async () => {
  const { forgetting, left } = await stored('url', personRecord(WHO));
  expect(await dropAnswers(forgetting, keyOf('url'), () => false)).toBe(0);
  expect(await left()).toBe(1);
  expect(await dropAnswers(forgetting, keyOf('url'), () => true)).toBe(1);
  expect(await dropAnswers(forgetting, keyOf('url'), () => true)).toBe(0);
});

describe("a person's identifiers", () => {
  it('are the keys of the questions that could be asked by them', () => {
    const { url, email, phone, name } = questionsAbout(WHO);
    const keys = keysOf(factsOf(WHO));
    expect([...keys.sure].sort()).toEqual([email, url].map((each) => questionKey(each, digest)).sort());
    expect([...keys.likely].sort()).toEqual([phone, name].map((each) => questionKey(each, digest)).sort());
  });

  it('of a contact hold the key of every question that enrichment would ask about it', () => {
    const policy = parsePolicy({ budgets: { perDay: 1 }, questions: { fallThrough: true } });
    const properties = {
      email: ` ${WHO.email.toUpperCase()}`,
      hs_linkedin_url: `http://www.${WHO.url.slice(8)}/?locale=de#top`,
      firstname: 'Zoë',
      lastname: WHO.last.toUpperCase(),
      website: `https://www.${DOMAIN}/about`,
      phone: '+49 (30) 901820-10',
    };
    const record = { objectType: 'contacts', id: '1', properties, createdAtMs: 0 } as const;
    const plan = planQuestions({ record, policy });
    const asked = plan.kind === 'ask' ? plan.questions.map((each) => questionKey(each, digest)) : [];
    const { sure, likely } = identifiersOfRecord(record, digest);
    expect(asked).toHaveLength(4);
    expect([...sure, ...likely]).toEqual(expect.arrayContaining(asked));
  });

  it('of a company, of free mail with a name, and of what is no address are none', () => {
    const company = { objectType: 'companies', properties: { domain: DOMAIN, phone: WHO.phone } } as const;
    expect(identifiersOfRecord(company, digest)).toEqual({ sure: [], likely: [] });
    const names = [{ first: WHO.first, last: WHO.last }];
    expect(keysOf({ names, domains: ['gmail.com'] }).likely).toEqual([]);
    expect(keysOf({ emails: ['no address'], profileUrls: ['nothing'], phones: ['12'] })).toEqual({
      sure: [],
      likely: [],
    });
  });
});

describe('the people in an answer', () => {
  it.each(['url', 'email', 'phone', 'name', 'title'] as const)(
    'about one of them, by %s, are that one',
    (name) => {
      const { operation } = questionsAbout(WHO)[name];
      const known = identifiersOfAnswer({ operation, record: answerTo(name, WHO, OTHERS) }, digest);
      const all = keysOf(factsOf(WHO));
      expect(known.sure.length).toBeGreaterThan(0);
      expect(all.sure).toEqual(expect.arrayContaining([...known.sure]));
      expect(all.likely).toEqual(expect.arrayContaining([...known.likely]));
    },
  );

  it.each(['company', 'search', 'employees'] as const)(
    'of a %s are all in it, each to be taken out alone',
    (name) => {
      const answer = { operation: questionsAbout(WHO)[name].operation, record: answerTo(name, WHO, OTHERS) };
      const [first, second, third] = peopleIn(answer, digest);
      const all = keysOf(factsOf(WHO));
      expect([...all.sure, ...all.likely]).toEqual(
        expect.arrayContaining([...(second?.sure ?? ['']), ...(second?.likely ?? [])]),
      );
      const rest = { ...answer, record: withoutPeople(answer, (index) => index === 1) };
      expect(peopleIn(rest, digest)).toEqual([first, third]);
      expect(Object.keys(rest.record)).toEqual(Object.keys(answer.record));
    },
  );

  it('are recognised by a name in one piece, wherever it parts', () => {
    const record = { domains: [DOMAIN], contacts: [{ name: 'Ana Maria de la Vega' }] };
    const [keys] = peopleIn({ operation: 'companyProfile', record }, digest);
    for (const [first, last] of [
      ['Ana', 'Vega'],
      ['Ana', 'Maria de la Vega'],
      ['Ana Maria de la', 'Vega'],
    ] as const)
      expect(keys?.likely).toContain(keysOf({ names: [{ first, last }], domains: [DOMAIN] }).likely[0]);
  });

  it('of a company search are none, and damaged entries harm nobody', () => {
    expect(peopleIn({ operation: 'searchCompanies', record: { data: [personRecord(WHO)] } }, digest)).toEqual(
      [],
    );
    const record = { data: ['damaged', null, personRecord(WHO)] };
    expect(peopleIn({ operation: 'searchPeople', record }, digest)).toHaveLength(1);
    expect(withoutPeople({ operation: 'searchPeople', record }, () => true)).toEqual({
      data: ['damaged', null],
    });
  });
});

function open() {
  const items = createMemoryItems<SuppressionItem>();
  const clock = createManualClock({ startMs: 0, autoAdvance: true });
  const reads: string[] = [];
  const counted = {
    ...items,
    read: (key: string) => {
      reads.push(key);
      return items.read(key);
    },
  };
  return { items, clock, reads, worker: () => createSuppressionList({ items: counted, clock }) };
}

const keys = Array.from({ length: 300 }, (_, index) => digest.keyed(`person ${index}`));

describe('suppression list', () => {
  it('cost one read where there are none, however many people are looked up', async () => {
    const { reads, worker } = open();
    expect(await worker().among(keys)).toEqual([]);
    expect(reads).toHaveLength(1);
  });

  it('are seen at once by every process, and by none for somebody else', async () => {
    const { worker } = open();
    const [one, other] = [worker(), worker()];
    expect(await other.among(keys)).toEqual([]);
    await one.add(keys.slice(0, 2));
    expect(await other.among(keys)).toEqual(keys.slice(0, 2));
    await other.add(keys.slice(1, 3));
    expect(await one.among(keys)).toEqual(keys.slice(0, 3));
  });

  it('cost one read again once they are known', async () => {
    const { reads, worker } = open();
    const suppressionList = worker();
    await suppressionList.add(keys.slice(0, 5));
    await suppressionList.among(keys);
    const before = reads.length;
    expect(await suppressionList.among(keys)).toHaveLength(5);
    expect(reads.length - before).toBe(1);
  });

  it('restored from a backup is read anew, also after it has grown as far as before', async () => {
    const { items, clock, worker } = open();
    const [reader, writer] = [worker(), worker()];
    await writer.add(keys.slice(0, 1));
    const backup = await items.read('epoch');
    await clock.sleep(1_000);
    await writer.add(keys.slice(1, 2));
    expect(await reader.among(keys)).toEqual(keys.slice(0, 2));
    const now = await items.read('epoch');
    if (!backup || !now) throw new Error('There is no count of changes.');
    await items.write({ key: 'epoch', value: backup.value, expectedVersion: now.version });
    await clock.sleep(1_000);
    await worker().add(keys.slice(2, 3));
    expect(await reader.among(keys)).toEqual(keys.slice(0, 3));
  });

  it('of many who are added at once by many are all there', async () => {
    const { worker } = open();
    const some = keys.slice(0, 30);
    await Promise.all(some.map((key) => worker().add([key])));
    expect(await worker().among(keys)).toEqual(some);
  });
});
