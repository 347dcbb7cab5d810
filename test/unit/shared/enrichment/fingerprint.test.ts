import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '#inside/enrichment/memory.ts';
import type { ObjectType } from '#shared/crm';
import { parsePolicy } from '#shared/field-policy';
import { WATCHED_PROPERTIES } from '#shared/identity';
import { createDigest } from '#shared/kernel/adapters';

const digest = createDigest('an installation secret of a test');

function print(
  objectType: ObjectType,
  properties: Record<string, string | null>,
  { version = 'one', secret = digest } = {},
): string {
  const policy = parsePolicy({ version, budgets: { perDay: 1 } });
  return fingerprintOf({ objectType, properties }, { policy, digest: secret });
}

describe('fingerprintOf', () => {
  it('is the same however the values are written', () => {
    const plain = print('contacts', { firstname: 'Zoe', email: 'zoe@acme.com' });
    expect(print('contacts', { email: ' ZOE@acme.com', firstname: 'Zoë', lastname: null })).toBe(plain);
    expect(print('contacts', { firstname: 'Zoe', email: 'zoe@acme.com', lastname: '' })).toBe(plain);
  });

  it.each(['email', 'firstname', 'lastname', 'phone', 'mobilephone', 'hs_linkedin_url', 'website'])(
    'changes with the %s of a contact',
    (property) => {
      expect(print('contacts', { [property]: 'x' })).not.toBe(print('contacts', {}));
    },
  );

  it.each(WATCHED_PROPERTIES.companies)('changes with the %s of a company', (property) => {
    expect(print('companies', { [property]: 'x' })).not.toBe(print('companies', {}));
  });

  it.each(['jobtitle', 'enrichment_status', 'lastmodifieddate', 'associatedcompanyid'])(
    'does not change with the %s of a contact',
    (property) => {
      expect(print('contacts', { [property]: 'x' })).toBe(print('contacts', {}));
    },
  );

  it('tells which property holds a value', () => {
    expect(print('contacts', { firstname: 'Lee' })).not.toBe(print('contacts', { lastname: 'Lee' }));
    expect(print('contacts', { firstname: 'a', lastname: 'b c' })).not.toBe(
      print('contacts', { firstname: 'a b', lastname: 'c' }),
    );
  });

  it('changes with the policy, the kind of record and the secret, and shows no value', () => {
    const values = { website: 'acme.com' };
    const plain = print('contacts', values);
    expect(print('contacts', values, { version: 'two' })).not.toBe(plain);
    expect(print('companies', values)).not.toBe(plain);
    expect(print('contacts', values, { secret: createDigest('another secret, as long') })).not.toBe(plain);
    expect(plain).toMatch(/^[0-9a-f]{32}$/);
  });
});
