import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#shared/kernel';
import { allKeys, answersOf, dropAnswers, dropAnswersAbout, questionKey } from '#shared/questions';
import {
  answerTo,
  factsOf,
  human,
  keysOf,
  personRecord,
  questionsAbout,
  tracesOf,
} from '../../privacy/people.ts';
import { openShelf } from '../../privacy/shelf.ts';
import { digest, found, NOON } from '../asking.ts';

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
