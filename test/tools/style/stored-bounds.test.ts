import { describe, expect, it } from 'vitest';
import { BOUNDED, UNBOUNDED } from './schemas.ts';
import { unboundedFields } from './stored-bounds.ts';
import { boundFaults } from './stored-kind-faults.ts';

describe('a list inside a stored item', () => {
  it('has a bound in its schema, or one that its kind names', () => {
    expect(boundFaults()).toEqual([]);
  });

  it.each(Object.entries(UNBOUNDED))('is missed in %s', (_, schema) => {
    expect(unboundedFields(schema)).toEqual(['a']);
  });

  it.each(Object.entries(BOUNDED))('is bounded by %s', (_, schema) => {
    expect(unboundedFields(schema)).toEqual([]);
  });
});
