import { describe, expect, it } from 'vitest';
import * as z from 'zod';
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

/** Schemas with a list `a` without a bound. */
const UNBOUNDED = {
  'an array': z.object({ a: z.array(z.string()) }),
  'an optional array of a variant': z.discriminatedUnion('k', [
    z.object({ k: z.literal('x'), a: z.array(z.int()).optional() }),
  ]),
  'a record by any text': z.object({ a: z.record(z.string(), z.int()) }),
  'a list that falls back': z.object({ a: z.array(z.int()) }).catch({ a: [] }),
  'a list in a bounded list': z.array(z.object({ a: z.array(z.int()) })).max(3),
};

const BOUNDED = {
  'a maximum': z.array(z.string()).max(3),
  'words of a fixed list': z.array(z.enum(['a', 'b'])),
  'keys of a fixed list': z.record(z.enum(['a', 'b']), z.int()),
};
