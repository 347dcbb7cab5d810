import { describe, expect, it } from 'vitest';
import type { Asker } from '../../../../infra/cli/commands/asker.ts';
import { type LookupName, lookupQuestion, parameterOf } from '../../../../infra/cli/commands/lookup.ts';
import { quoteOf, type Search, searchPages } from '../../../../infra/cli/commands/search.ts';

const profileQuestion = (url: string) => lookupQuestion('personProfile', { network_url: url });
const emailQuestion = (email: string) => lookupQuestion('reverseEmail', { email });
const phoneQuestion = (phone: string) => lookupQuestion('reversePhone', { phone });
const companyQuestion = (words: string) =>
  lookupQuestion('companyProfile', { [parameterOf('companyProfile', words) ?? '']: words });

describe('lookup questions', () => {
  it('take two ways of writing for one', () => {
    const page = profileQuestion('https://network.example/in/jane-roe');
    expect(profileQuestion('http://www.network.example/in/Jane-Roe/?trk=1')).toEqual(page);
    expect(companyQuestion('https://www.acme.com/')).toEqual(companyQuestion('ACME.com'));
    expect(emailQuestion(' Jane.Roe@Acme.com ')).toEqual(emailQuestion('jane.roe@acme.com'));
    expect(phoneQuestion('+1 (202) 555-0123')).toEqual(phoneQuestion('+12025550123'));
  });

  type Refused = readonly [operation: LookupName, option: string, value: string, reason: string];
  const NOBODY: readonly Refused[] = [
    ['reverseEmail', 'email', 'm***h@acme.com', 'hidden'],
    ['reverseEmail', 'email', 'test@acme.com', 'sample'],
    ['reverseEmail', 'email', 'email_not_unlocked@domain.com', 'sample'],
    ['reverseEmail', 'email', 'accueil@acme.com', 'role'],
    ['reversePhone', 'phone', '+10000000000', 'sample'],
    ['reversePhone', 'phone', '+44 20 **** 1234', 'hidden'],
    ['personProfile', 'network_url', 'linkedin.com/in/me', 'sample'],
    ['companyProfile', 'domain', 'yourdomain.com', 'sample'],
    ['lookUpPerson', 'last_name', 'null', 'sample'],
    ['lookUpPerson', 'first_name', 'S***h', 'hidden'],
  ];

  function refusalOf([operation, name, value]: Refused): unknown {
    const person = { company_domain: 'acme.com', first_name: 'Jane', last_name: 'Roe' };
    try {
      return lookupQuestion(operation, { ...(operation === 'lookUpPerson' && person), [name]: value });
    } catch (error) {
      return error;
    }
  }

  it.each(NOBODY)('%s refuses %s %s, which identifies nobody: %s', (...row) => {
    const params = { option: row[1], why: expect.any(String) };
    expect(refusalOf(row)).toMatchObject({ code: 'identifies-nobody', params });
  });

  it('tell each reason for itself', () => {
    const told = NOBODY.map((row) => [row[3], (refusalOf(row) as { params: { why: string } }).params.why]);
    expect(new Map(told.map(([reason, why]) => [why, reason])).size).toBe(3);
    expect(new Set(told.map(String)).size).toBe(3);
  });
});

const SEARCH: Search = { operation: 'searchPeople', parameters: { person_titles: ['Manager'] } };
const ANSWERED = { questionKey: 'key', askedAtMs: 0, expiresAtMs: 1, credits: 0 };
const CUT = { kind: 'found', ...ANSWERED, isCut: true, record: { data: [{ id: 1 }, { id: 2 }] } } as const;

it('a page from which people were forgotten keeps their places, so that nobody is bought twice', async () => {
  const page = (results: number, hasMore: boolean) => ({
    ...ANSWERED,
    kind: 'found' as const,
    record: { data: Array.from({ length: results }, (_, id) => ({ id })), pagination: { has_more: hasMore } },
  });
  const asked: string[] = [];
  const asker: Asker = {
    stored: async ({ by }) => {
      asked.push(by.search ?? '');
      return asked.length === 1 ? page(2, true) : page(1, false);
    },
    ask: () => Promise.reject(new Error('Nothing is bought.')),
  };
  expect(await quoteOf(asker, { ...SEARCH, operation: 'searchEmployees' }, 5)).toBe(0);
  expect(asked).toHaveLength(1);
});

it('a page that is stored in part counts as full, and is marked', async () => {
  const asker: Asker = {
    stored: async ({ by }) => (/"page":1\b/.test(by.search ?? '') ? CUT : undefined),
    ask: async (question, _leftCredits) => {
      const stored = await asker.stored(question);
      return stored
        ? { ...CUT, fromStore: true }
        : { kind: 'no-match', ...ANSWERED, credits: 100, fromStore: false };
    },
  };
  expect(await quoteOf(asker, SEARCH, 200)).toBe(100);
  const { pages } = await searchPages(asker, SEARCH, { maxResults: 200, maxCredits: 100 });
  expect(pages.map(({ records, isCut }) => [records.length, isCut])).toEqual([
    [2, true],
    [0, false],
  ]);
});
