import { describe, expect, it } from 'vitest';
import type { CrmRecord, ObjectType } from '#shared/crm';
import { weighEvidence } from '#shared/identity';
import type { Company, Person } from '#shared/vendor';

type Properties = Readonly<Record<string, string | null>>;

function recordOf(objectType: ObjectType, properties: Properties): CrmRecord {
  return { objectType, id: '7', properties, createdAtMs: 0 };
}

function person(properties: Properties, answer: Person, askedDomain?: string) {
  const result = weighEvidence('identity', { record: recordOf('contacts', properties), answer, askedDomain });
  return result.kind === 'contradiction' ? result.reason : 'plausible';
}

function company(properties: Properties, answer: Company, askedDomain?: string) {
  const result = weighEvidence('identity', {
    record: recordOf('companies', properties),
    answer,
    askedDomain,
  });
  return result.kind === 'contradiction' ? result.reason : 'plausible';
}

function names(known: string, found: string) {
  const [firstname = null, lastname = null] = known.split('|');
  const [firstName, lastName] = found.split('|');
  return person({ firstname, lastname }, { ...(firstName && { firstName }), ...(lastName && { lastName }) });
}

describe('names of one person', () => {
  it.each([
    ['Mira|Testarossa', 'mira|TESTAROSSA'],
    ['José|Núñez', 'Jose|Nunez'],
    ['Jürgen|Müller', 'Juergen|Mueller'],
    ['Bob|Testarossa', 'Robert|Testarossa'],
    ['Alex|Testarossa', 'Alexandra|Testarossa'],
    ['M.|Testarossa', 'Mira|Testarossa'],
    ['Mira|T', 'Mira|Testarossa'],
    ['Mira|n/a', 'Mira|Testarossa'],
    ['Mira Anna|Testarossa', 'Mira|Testarossa'],
    ['J. Robert|Testarossa', 'James|Testarossa'],
    ['Testarossa|Mira', 'Mira|Testarossa'],
    ['Testarossa', 'Mira|Testarossa'],
    ['Mira|Testarossa-Vogel', 'Mira|Vogel'],
    ['Jan|van der Berg', 'Jan|Berg'],
    ['Dr. Mira|Testarossa', 'Mira|Testarossa, PhD'],
    ['Sean|O’Leary', 'Sean|OLeary'],
    ['Mira|Testarosa', 'Mira|Testarossa'],
    ['Мира|Тестаросса', 'Mira|Testarossa'],
    ['', 'Mira|Testarossa'],
    ['Mira|Testarossa', ''],
    ['Mira', 'Mira|Testarossa'],
  ])('%s is %s', (known, found) => expect(names(known, found)).toBe('plausible'));

  it('may stand in one field of the answer', () => {
    const record = { firstname: 'Mira', lastname: 'Testarossa' };
    expect(person(record, { name: 'Mira Anna Testarossa' })).toBe('plausible');
    expect(person(record, { name: 'Mira Vogel' })).toBe('other-last-name');
  });
});

it.each([
  ['Mira|Testarossa', 'Mira|Vogel', 'last'],
  ['Mira|Testarossa', 'Bernd|Testarossa', 'first'],
  ['Mira|Testarossa', 'Bernd|Vogel', 'full'],
  ['Mira K|Testarossa', 'Bernd K|Testarossa', 'first'],
  ['Bob|Testarossa', 'William|Testarossa', 'first'],
  ['|Testarossa', 'Mira|Vogel', 'last'],
  ['B.|Testarossa', 'Mira|Testarossa', 'first'],
  ['Mira|Lee', 'Mira|Lei', 'last'],
])('names of two people %s is not %s', (known, found, part) => {
  expect(names(known, found)).toBe(`other-${part}-name`);
});

describe('a person whose identity is sure', () => {
  const married = {
    firstName: 'Mira',
    lastName: 'Vogel',
    profileUrl: 'https://www.network.example/in/mira',
  };
  const record = { firstname: 'Mira', lastname: 'Testarossa' };

  it('may have another last name', () => {
    expect(
      person({ ...record, hs_linkedin_url: 'http://de.network.example/in/mira/?from=mail' }, married),
    ).toBe('plausible');
    expect(person({ ...record, email: 'mira.vogel@nordwind.example' }, married)).toBe('plausible');
    expect(person({ ...record, hs_linkedin_url: 'https://network.example/in/other' }, married)).toBe(
      'other-last-name',
    );
    expect(person({ ...record, email: 'mira@vogel.example' }, married)).toBe('other-last-name');
  });

  it('has to have one of both names', () => {
    const other = { ...married, firstName: 'Bernd' };
    expect(person({ ...record, hs_linkedin_url: 'network.example/in/mira' }, other)).toBe('other-full-name');
  });
});

describe('the employer', () => {
  const record = { firstname: 'Mira', email: 'mira@nordwind.example' };
  const at = (domain: string): Person => ({
    firstName: 'Mira',
    employerDomain: domain,
  });

  it('of the address has to be the one of the answer, unless the address is ours', () => {
    const elsewhere = (email: string, domain: string) =>
      weighEvidence('employer', {
        record: { objectType: 'contacts', properties: { email } },
        answer: at(domain),
      }).kind === 'contradiction';
    expect(elsewhere('mira@nordwind.example', 'suedwind.example')).toBe(true);
    expect(elsewhere('mira@mail.nordwind.example', 'nordwind.example')).toBe(false);
    expect(elsewhere('mira@nordwind.example', 'nordwind.test')).toBe(true);
    expect(elsewhere('mira@gmail.com', 'suedwind.example')).toBe(false);
  });

  it('of the company that the contact belongs to has to be the one of the answer', () => {
    const check = (companyDomain: string) =>
      weighEvidence('employer', {
        record: { objectType: 'contacts', properties: {}, companyDomains: [companyDomain] },
        answer: at('nordwind.example'),
      });
    expect(check('mail.nordwind.example').kind).not.toBe('contradiction');
    expect(check('nordwind.test').kind).toBe('contradiction');
    expect(check('suedwind.example').kind).toBe('contradiction');
  });

  it('has to be the one that was asked for', () => {
    expect(person(record, at('nordwind.example'), 'mail.nordwind.example')).toBe('plausible');
    expect(person(record, at('nordwind.test'), 'nordwind.example')).toBe('plausible');
    expect(person(record, { firstName: 'Mira' }, 'nordwind.example')).toBe('plausible');
    const answer = {
      ...at('holding.example'),
      employerWebsite: 'https://www.nordwind.example/de',
    };
    expect(person(record, answer, 'nordwind.example')).toBe('plausible');
    expect(person(record, at('suedwind.example'), 'nordwind.example')).toBe('other-asked-company');
    expect(person(record, at('two.co.uk'), 'one.co.uk')).toBe('other-asked-company');
  });
});

describe('a company', () => {
  it.each([
    [{ domain: 'nordwind.example' }, { domain: 'www.nordwind.example' }],
    [{ domain: 'shop.nordwind.example' }, { domain: 'nordwind.example' }],
    [{ domain: 'nordwind.example' }, { domain: 'nw.example', domains: ['nordwind.example', 'nw.example'] }],
    [{ domain: 'nordwind.example' }, { domain: 'nordwind.test' }],
    [
      { domain: 'nordwind.example', name: 'Nordwind' },
      { domain: 'nordwind.example', name: 'Kranbau' },
    ],
    [{ name: 'Nordwind GmbH' }, { name: 'Nordwind Holding AG' }],
    [{ name: 'NKB' }, { name: 'Nordwind Kranbau Berlin' }],
    [{ name: 'ノルドウィンド' }, { name: 'Nordwind' }],
    [{ name: 'Deutsche Post' }, { name: 'Deutsche Post DHL' }],
    [{}, { name: 'Nordwind', domain: 'nordwind.example' }],
  ])('%j may be %j', (properties: Properties, answer: Company) => {
    expect(company(properties, answer)).toBe('plausible');
  });

  it.each([
    [{ domain: 'nordwind.example' }, { domain: 'suedwind.example' }, 'domain'],
    [{ domain: 'nordwind.example', name: 'Wind' }, { domain: 'suedwind.example', name: 'Wind' }, 'domain'],
    [{ domain: 'one.github.io' }, { domain: 'two.github.io' }, 'domain'],
    [{ name: 'Nordwind GmbH' }, { name: 'Kranbau GmbH' }, 'name'],
    [{ domain: 'nordwind.example', name: 'Nordwind' }, { name: 'Kranbau' }, 'name'],
  ])('%j is not %j', (properties: Properties, answer: Company, what) => {
    expect(company(properties, answer)).toBe(`other-${what}`);
  });

  it('needs review where a profile has another name and another page', () => {
    const known = {
      domain: 'nordwind.example',
      name: 'Wind',
      linkedin_company_page: 'network.example/company/x',
    };
    const answer = {
      domain: 'nordwind.example',
      name: 'Kranbau',
      pageUrl: 'network.example/company/y',
    };
    expect(company(known, answer)).toBe('other-under-domain');
  });

  it('is the one whose page the record names, whatever its domain is now', () => {
    const page = 'https://www.network.example/company/nordwind/';
    const answer = { domain: 'suedwind.example', pageUrl: 'network.example/company/nordwind' };
    expect(company({ domain: 'nordwind.example', linkedin_company_page: page }, answer)).toBe('plausible');
  });

  it('is held against the domain of the question where the record has none', () => {
    expect(company({}, { domain: 'suedwind.example' }, 'nordwind.example')).toBe('other-domain');
  });
});

describe('a country', () => {
  const [record, answer] = [
    { firstname: 'Mira', lastname: 'Testarossa', country: 'Germany' },
    { firstName: 'Mira', lastName: 'Testarossa', country: 'India' },
  ] as const;

  it('tells people of one name in one company apart', () => {
    expect(person(record, answer, 'example.com')).toBe('other-country');
    expect(person({ ...record, country: 'Österreich' }, answer, 'example.com')).toBe('other-country');
    expect(person({ ...record, country: 'Deutschland' }, { ...answer, country: 'DE' }, 'example.com')).toBe(
      'plausible',
    );
  });

  it('is no contradiction where something surer led to the answer: people move', () => {
    expect(person(record, answer)).toBe('plausible');
    const url = 'https://www.linkedin.com/in/mira-t';
    const sure = { ...record, hs_linkedin_url: url };
    expect(person(sure, { ...answer, profileUrl: url }, 'example.com')).toBe('plausible');
  });

  it('that nobody knows is nothing to hold against anybody', () => {
    expect(person({ ...record, country: 'Elbonia' }, answer, 'example.com')).toBe('plausible');
  });
});
