import { describe, expect, it } from 'vitest';
import type { ObjectType } from '#shared/crm';
import { employerOf, misfitOfAddress, weighEvidence } from '#shared/identity';

type Facts = Readonly<Record<string, unknown>>;

function verdict(objectType: ObjectType, subject: 'identity' | 'employer', known: Facts, answer: Facts) {
  const { families, ...properties } = known;
  const record = { objectType, properties: properties as Readonly<Record<string, string>> };
  const result = weighEvidence(subject, { record, answer, families: families as string[][] | undefined });
  return result.kind === 'contradiction' ? result.reason : result.kind;
}

describe('a company with the same name under another top-level domain', () => {
  const IRIS = { domain: 'iris-x.de', name: 'Krause Optik GmbH', country: 'Germany' };
  const AIRWAYS = {
    domain: 'iris-x.com',
    name: 'Iris Airways',
    headquarters: { country: 'United States' },
  };

  it.each<[string, Facts, Facts, string]>([
    ['has another name and another country', IRIS, AIRWAYS, 'other-name'],
    ['has another name', { ...IRIS, country: '' }, AIRWAYS, 'other-name'],
    ['has another country', { ...IRIS, name: 'Iris' }, { ...AIRWAYS, name: 'Iris' }, 'other-country'],
    [
      'has another name and the same country',
      IRIS,
      { ...AIRWAYS, headquarters: { country: 'DE' } },
      'other-name',
    ],
    ['lists the domain too', IRIS, { ...AIRWAYS, domains: ['iris-x.de'] }, 'match'],
    ['is listed by HubSpot', { ...IRIS, hs_additional_domains: 'iris-x.com' }, AIRWAYS, 'match'],
    ['has the same name', { ...IRIS, name: 'Iris', country: '' }, { ...AIRWAYS, name: 'Iris' }, 'match'],
    ['says nothing else', { domain: 'iris-x.de' }, { domain: 'iris-x.com' }, 'match'],
  ])('%s', (_, known, answer, expected) => {
    expect(verdict('companies', 'identity', known, answer)).toBe(expected);
  });

  it.each<[string, Facts, Facts, string]>([
    ['no typed company', {}, {}, 'other-address'],
    [
      'another typed company',
      { company: 'Apollon Immobilien' },
      { employerName: 'Zeus Ltd' },
      'other-address',
    ],
    [
      'a typed company with the same common word',
      { company: 'Deutsche Apollon' },
      { employerName: 'Deutsche Zeus' },
      'other-address',
    ],
    ['the same typed company', { company: 'Apollon' }, { employerName: 'Apollon Inc' }, 'unknown'],
    ['both domains known as one company', { families: [['apollon.de', 'apollon.io']] }, {}, 'unknown'],
  ])('is the employer of an address: %s', (_, known, more, expected) => {
    const answer = {
      employerName: 'Apollon Inc',
      employerDomain: 'apollon.io',
      ...more,
    };
    expect(verdict('contacts', 'employer', { email: 'ana.lima@apollon.de', ...known }, answer)).toBe(
      expected,
    );
  });
});

describe('a bought address', () => {
  const NORA = {
    firstName: 'Nora',
    lastName: 'Vale',
    employerName: 'Valeco',
    employerDomain: 'valeco.com',
  };

  it.each([
    ['nora.vale@valeco.com', undefined],
    ['nvale@valeco.com', undefined],
    ['n.vale@mail.valeco.com', undefined],
    ['nora@valeco.de', undefined],
    ['nora.vale@gmail.com', undefined],
    ['nora.miller@valeco.com', undefined],
    ['info@rolemail.com', 'role-mailbox'],
    ['sales@valeco.com', 'role-mailbox'],
    ['noreply@valeco.com', 'role-mailbox'],
    ['support.de@valeco.com', 'role-mailbox'],
    ['marta.klein@valeco.com', 'other-person'],
    ['m.klein@valeco.com', 'other-person'],
    ['klein_marta@valeco.com', 'other-person'],
    ['nora.vale@formerco.com', 'other-employer'],
    ['nvale@formerco.co.uk', 'other-employer'],
    ['nora@formerco.io', 'other-employer'],
  ])('%s: %s', (email, expected) => {
    expect(misfitOfAddress({ ...NORA, email }, undefined)).toBe(expected);
  });

  it('of a domain that belongs to the employer fits', () => {
    const answer = { ...NORA, email: 'nora.vale@formerco.com' };
    expect(misfitOfAddress(answer, [['formerco.com', 'valeco.com']])).toBeUndefined();
  });
});

const OLD = { employerId: 'org-77', employerDomain: 'oldbrand.com' };

it.each<[Facts, boolean]>([
  [{ ...OLD, employerDomain: 'newbrand.com' }, true],
  [{ employerId: 'org-77', employerName: 'New Brand' }, true],
  [{ employerId: 'org-77' }, true],
  [{ ...OLD, employerId: 'org-78' }, false],
])('an employer %j is the same: %s', (answer, isSame) => {
  expect(employerOf(answer) === employerOf(OLD)).toBe(isSame);
});
