import { describe, expect, it } from 'vitest';
import { companyDomainOf } from '#inside/identity/record-identity.ts';
import type { CrmRecord } from '#shared/crm';
import { mailOf, pageOf, phoneOf, profileUrl, textOf } from '#shared/identity';

function contact(properties: Record<string, string | null>): CrmRecord {
  return { objectType: 'contacts', id: '1', properties, createdAtMs: 0 };
}

it.each([
  [{ city: ' Cork ' }, 'Cork'],
  [{ city: '  ' }, undefined],
  [{ city: '' }, undefined],
  [{ city: null }, undefined],
  [{}, undefined],
])('a value of a record %j is %j', (properties, text) => {
  expect(textOf(contact(properties), 'city')).toBe(text);
});

it.each([
  [' Jane.Doe@Acme.COM ', { address: 'jane.doe@acme.com', domain: 'acme.com', free: false, role: false }],
  [
    'jane@mail.acme.co.uk',
    { address: 'jane@mail.acme.co.uk', domain: 'mail.acme.co.uk', free: false, role: false },
  ],
  ['jane@GMAIL.com', { address: 'jane@gmail.com', domain: 'gmail.com', free: true, role: false }],
  ['jane@yahoo.co.uk', { address: 'jane@yahoo.co.uk', domain: 'yahoo.co.uk', free: true, role: false }],
  ['jane+news@acme.com', { address: 'jane@acme.com', domain: 'acme.com', free: false, role: false }],
  [
    'jörg@münchen.example',
    { address: 'jörg@xn--mnchen-3ya.example', domain: 'xn--mnchen-3ya.example', free: false, role: false },
  ],
  ['sales-team@acme.com', { address: 'sales-team@acme.com', domain: 'acme.com', free: false, role: true }],
  ['jane@localhost', undefined],
  ['jane at acme.com', undefined],
  ['a@b@acme.com', undefined],
  ['@acme.com', undefined],
  ['jane@127.0.0.1', undefined],
  ['', undefined],
])('mailOf %j is %j', (email, mail) => {
  expect(mailOf(contact({ email }))).toEqual(mail);
});

describe('a mailbox', () => {
  it.each([
    'sales.emea',
    'info-muenchen',
    'customer.success',
    'pressoffice',
    'no-reply',
    'noreply',
    'ir',
    'hr-team',
  ])('%j is of an office', (mailbox) => {
    expect(mailOf(contact({ email: `${mailbox}@acme.com` }))?.role).toBe(true);
  });

  it.each(['dev.patel', 'nobody.there', 'may.hill', 'maria.sales', 'infosys'])(
    '%j is of a person',
    (mailbox) => {
      expect(mailOf(contact({ email: `${mailbox}@acme.com` }))?.role).toBe(false);
    },
  );
});

describe('profileUrl', () => {
  it.each([
    'https://www.linkedin.com/in/jane-doe',
    'http://linkedin.com/in/jane-doe/',
    'linkedin.com/in/Jane-Doe',
    'https://de.linkedin.com/in/jane-doe?trk=x#top',
    ' HTTPS://WWW.LINKEDIN.COM/in/JANE-DOE ',
  ])('%j is one and the same address', (text) => {
    expect(profileUrl(text)).toBe('https://linkedin.com/in/jane-doe');
  });

  it.each(['jane-doe', 'https://linkedin.com', 'linkedin.com/', 'ask her', ''])('%j is none', (text) => {
    expect(profileUrl(text)).toBeUndefined();
  });
});

it.each([
  ['https://uk.linkedin.com/in/jane-doe/', 'contacts', 'https://linkedin.com/in/jane-doe'],
  ['https://www.linkedin.com/company/acme/about', 'companies', 'https://linkedin.com/company/acme'],
  ['https://network.example/jane', 'contacts', 'https://network.example/jane'],
  ['https://www.linkedin.com/company/acme', 'contacts', undefined],
  ['https://www.linkedin.com/in/jane-doe', 'companies', undefined],
  ['https://www.linkedin.com/in/', 'contacts', undefined],
  ['https://www.linkedin.com/sales/lead/ACwAAA', 'contacts', undefined],
  ['https://www.linkedin.com/search/results/people/?keywords=jane', 'contacts', undefined],
  ['https://twitter.com/jane', 'contacts', undefined],
  ['https://www.facebook.com/acme', 'companies', undefined],
] as const)('pageOf %j is for %s %s', (text, objectType, page) => {
  expect(pageOf(text, objectType)).toBe(page);
});

it.each([
  [{ domain: 'acme.com' }, 'acme.com'],
  [{ domain: 'www.acme.com', website: 'other.com' }, 'acme.com'],
  [{ domain: 'gmail.com', website: 'https://shop.acme.de/en?x=1' }, 'acme.de'],
  [{ domain: 'localhost', website: 'http://127.0.0.1/' }, undefined],
  [{ website: 'coming soon' }, undefined],
  [{}, undefined],
])('companyDomainOf %j is of %j', (values, domain) => {
  expect(companyDomainOf(contact(values))).toBe(domain);
});

it.each([
  [{ phone: '+49 30 901820' }, '+4930901820'],
  [{ phone: 'call me', mobilephone: '+353 1 222 2226' }, '+35312222226'],
  [{ phone: '+49 30 901820 ext. 7', mobilephone: '+353 1 222 2226' }, '+35312222226'],
  [{ phone: '222 2222' }, undefined],
  [{}, undefined],
])('phoneOf %j is %j', (properties, phone) => {
  expect(phoneOf(contact(properties))).toBe(phone);
});
