import { describe, expect, it } from 'vitest';
import { asProfile } from '#inside/field-policy/mapping/search-record.ts';

describe('a company as a search tells it', () => {
  it('takes the form of a profile', () => {
    const result = {
      name: 'One',
      about_us: 'Makes things.',
      specialties: 'one; two',
      street: 'Main Street 1',
      city: 'Austin',
      postcode: '12345',
      'headquarters.state': 'Texas',
      'headquarters.country_name': 'United States',
      employee_count_range: '1 to 10',
    };
    expect(asProfile(result, 'one.com')).toMatchObject({
      name: 'One',
      description: 'Makes things.',
      specialities: ['one', 'two'],
      headquarters: {
        address: 'Main Street 1',
        city: 'Austin',
        state: 'Texas',
        country: 'United States',
        postal_code: '12345',
      },
      domains: ['one.com'],
      employee_count_range: '1 to 10',
    });
  });

  it('leaves out what it does not tell', () => {
    expect(asProfile({ name: 'One' }, 'one.com')).toEqual({
      name: 'One',
      headquarters: {},
      domains: ['one.com'],
    });
  });
});
