import { describe, expect, it } from 'vitest';
import { planQuestions } from '#inside/enrichment/ask/plan-record.ts';
import { peopleIn, withoutPeople } from '#inside/questions/people/stored-people.ts';
import { parsePolicy } from '#shared/field-policy';
import { identifiersOfRecord } from '#shared/privacy';
import { identifiersOfAnswer, questionKey } from '#shared/questions';
import {
  answerTo,
  DOMAIN,
  factsOf,
  human,
  keysOf,
  personRecord,
  questionsAbout,
} from '../../privacy/people.ts';
import { digest } from '../asking.ts';

const WHO = human(0);
const OTHERS = [human(1), human(2)];

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
