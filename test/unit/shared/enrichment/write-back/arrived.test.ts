import { describe, expect, it } from 'vitest';
import { arrivedOf } from '#shared/enrichment';
import { createNormalise } from '#shared/field-policy';
import type { Change } from '#shared/records';
import { entry } from '../../../../harness/journal-entries.ts';
import { COLOURS, definitionOf, definitionsOf } from '../../field-policy/definitions.ts';

const PHONE = definitionOf('phone', { type: 'phone_number', fieldType: 'phonenumber' });
const normalise = createNormalise(definitionsOf(PHONE, COLOURS, definitionOf('city')));

function arrived(change: Omit<Change, 'state'> & Partial<Change>, value: string | null): boolean {
  const { property } = change;
  const changes = [{ state: 'planned' as const, ...change }];
  const found = arrivedOf(entry(1, { changes }), { properties: { [property]: value }, normalise });
  return Object.hasOwn(found, property) && found[property] === value;
}

describe('a planned write', () => {
  it.each([
    { property: 'city', before: null, after: 'Ulm', value: 'Ulm', is: true },
    { property: 'city', before: null, after: 'Ulm', value: 'Bonn', is: false },
    { property: 'city', before: null, after: 'Ulm', value: null, is: false },
    { property: 'city', before: 'Ulm', after: '', value: null, is: true },
    { property: 'city', before: 'Ulm', after: '', value: 'Ulm', is: false },
    { property: 'phone', before: null, after: '+49 30 5550101', value: '+49305550101', is: true },
    { property: 'colours', before: 'red', after: ';blue', value: 'blue;red', is: true },
    { property: 'colours', before: 'red', after: ';blue', value: 'red', is: false },
  ])('of $after over $before is there where HubSpot holds $value: $is', ({ value, is, ...change }) => {
    expect(arrived(change, value)).toBe(is);
  });

  it('that was refused is not there, whatever HubSpot holds', () => {
    expect(arrived({ property: 'city', before: null, after: 'Ulm', state: 'refused' }, 'Ulm')).toBe(false);
  });
});
