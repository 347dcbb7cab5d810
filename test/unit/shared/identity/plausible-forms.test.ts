import { describe, expect, it } from 'vitest';
import {
  isCompanyPageUrl,
  isDomain,
  isEmailAddress,
  isPersonProfileUrl,
  isPhoneNumber,
} from '#inside/identity/plausible-forms.ts';

describe('a domain', () => {
  it.each(['example.com', 'www.example.co.uk', 'acme.example', 'müller.de', '3m.com', 'acme.github.io'])(
    'may be %s',
    (text) => {
      expect(isDomain(text)).toBe(true);
    },
  );

  it.each([
    '',
    'acme',
    'co.uk',
    'acme.con',
    'localhost',
    'https://acme.com',
    'jane@acme.com',
    'a..com',
    '-a.com',
    '192.0.2.1',
    'acme.com.',
    `${'a'.repeat(64)}.com`,
    `${'a.'.repeat(130)}com`,
  ])('cannot be %j', (text) => {
    expect(isDomain(text)).toBe(false);
  });
});

describe('an email address', () => {
  it.each(['jane@acme.example', 'Jane.O’Roe+x@mail.acme.co.uk', "o'roe@acme.com", 'jörg@müller.de'])(
    'may be %s',
    (text) => {
      expect(isEmailAddress(text)).toBe(true);
    },
  );

  it.each(['', 'jane', 'jane@acme', 'jane roe@acme.com', 'a@b@acme.com', 'jane@acme.com>'])(
    'cannot be %j',
    (text) => {
      expect(isEmailAddress(text)).toBe(false);
    },
  );
});

describe('a phone number', () => {
  it.each([
    '+12025550123',
    '+1 (202) 555-0123',
    '001 202 555 0123',
    '202-555-0123',
    '020 7946 0018',
    '+44 20 7946 0018 ext. 12',
    '202‑555‑0123 x9',
    '4000',
  ])('may be %s', (text) => {
    expect(isPhoneNumber(text)).toBe(true);
  });

  it.each([
    '',
    '+',
    '123',
    '555-CALL-NOW',
    '+999 123 456 789',
    '+44 20 7946 0018 0018 0018',
    '123456789012345678',
    '12+34567890',
    '1'.repeat(10_000),
    ' '.repeat(10_000),
  ])('cannot be %j', (text) => {
    expect(isPhoneNumber(text)).toBe(false);
  });
});

describe('a profile URL', () => {
  it.each([
    'https://www.network.example/in/jane-roe',
    'http://network.example/in/jane-roe/?x=y#z',
    'network.example/in/jane-roe',
    'uk.network.example/pub/jane-roe/1/2/3',
    'network.example/jane-roe',
  ])('of a person may be %s', (text) => {
    expect(isPersonProfileUrl(text)).toBe(true);
  });

  it.each([
    '',
    'jane-roe',
    '/in/jane-roe',
    'network.example/in/',
    'https://network/in/jane-roe',
    'javascript:alert(1)',
    'https://a:b@network.example/in/jane-roe',
    'https://network.example/in/jane roe',
    'https://network.example/company/acme',
  ])('of a person cannot be %j', (text) => {
    expect(isPersonProfileUrl(text)).toBe(false);
  });

  it.each([
    'network.example/company/acme',
    'https://network.example/showcase/acme/about',
    'network.example/acme',
  ])('of a company may be %s', (text) => {
    expect(isCompanyPageUrl(text)).toBe(true);
  });

  it.each(['network.example/in/jane-roe', 'network.example/company', 'acme'])(
    'of a company cannot be %s',
    (text) => {
      expect(isCompanyPageUrl(text)).toBe(false);
    },
  );
});
