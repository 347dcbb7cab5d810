import { describe, expect, it } from 'vitest';
import { DEFAULT_FIELDS } from '#inside/field-policy/default-fields.ts';
import { type FieldRule, keepAddressTogether } from '#shared/field-policy';

type Texts = Readonly<Record<string, string>>;

function written(fields: readonly FieldRule[], current: Texts, values: Texts) {
  const proposals = Object.entries(values).flatMap(([property, value]) => {
    const rule = fields.find((field) => field.property === property);
    return rule ? [{ property, value, rule }] : [];
  });
  const isFilled = (property: string) => (current[property] ?? '') !== '';
  const writes = Object.fromEntries(Object.entries(values).filter(([property]) => !isFilled(property)));
  const kept = Object.keys(values)
    .filter(isFilled)
    .map((property) => ({ property, reason: current[property] === values[property] ? 'same' : 'not-blank' }));
  return Object.keys(keepAddressTogether(current, proposals, { writes, kept }));
}

const AUSTIN = { city: 'Austin', state: 'Texas', country: 'United States', jobtitle: 'CTO' };
const ATLANTA = {
  address: 'Main St 1',
  city: 'Atlanta',
  state: 'Georgia',
  zip: '30301',
  country: 'United States',
};

describe('an address', () => {
  it.each<[Texts, string[]]>([
    [{}, ['city', 'state', 'country', 'jobtitle']],
    [{ city: 'Berlin' }, ['jobtitle']],
    [{ country: 'Germany' }, ['jobtitle']],
    [{ state: 'Bavaria' }, ['jobtitle']],
    [{ city: 'Austin' }, ['state', 'country', 'jobtitle']],
    [{ city: 'AUSTIN' }, ['state', 'country', 'jobtitle']],
    [{ country: 'USA' }, ['city', 'state', 'jobtitle']],
    [{ jobtitle: 'Buyer' }, ['city', 'state', 'country']],
  ])('of a contact with %j: %j', (current, expected) => {
    expect(written(DEFAULT_FIELDS.contacts, current, AUSTIN)).toEqual(expected);
  });

  it.each<[Texts, string[]]>([
    [{}, ['address', 'city', 'state', 'zip', 'country']],
    [{ country: 'Germany' }, []],
    [{ zip: '10115' }, []],
    [{ address: 'Main Street 1' }, ['city', 'state', 'zip', 'country']],
  ])('of a company with %j: %j', (current, expected) => {
    expect(written(DEFAULT_FIELDS.companies, current, ATLANTA)).toEqual(expected);
  });
});
