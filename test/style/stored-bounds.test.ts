import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { BOUNDED_ELSEWHERE, unboundedFields } from './stored-bounds.ts';
import { storedSchemaFiles } from './stored-types.ts';

const ROOT = resolve(import.meta.dirname, '../..');

async function unboundedIn(path: string): Promise<string[]> {
  const folder = dirname(path).replace('shared/', '');
  const exported: Readonly<Record<string, unknown>> = await import(resolve(ROOT, path));
  const schemas = Object.values(exported).filter((each) => each instanceof z.ZodType);
  return schemas.flatMap((schema) => unboundedFields(schema).map((field) => `${folder}.${field}`));
}

describe('a list inside a stored item', () => {
  it('has a bound in its schema, or one that is named', async () => {
    const found = await Promise.all(storedSchemaFiles(ROOT).map(unboundedIn));
    // A difference is a new list without a bound, or a named one that is gone.
    expect([...new Set(found.flat())].sort()).toEqual(Object.keys(BOUNDED_ELSEWHERE).sort());
  });

  it.each([
    ['an array', z.object({ a: z.array(z.string()) })],
    [
      'an optional array of a variant',
      z.discriminatedUnion('k', [z.object({ k: z.literal('x'), a: z.array(z.int()).optional() })]),
    ],
    ['a record by any text', z.object({ a: z.record(z.string(), z.int()) })],
    ['a list that falls back', z.object({ a: z.array(z.int()) }).catch({ a: [] })],
    ['a list in a bounded list', z.array(z.object({ a: z.array(z.int()) })).max(3)],
  ])('is missed in %s', (_, schema) => {
    expect(unboundedFields(schema)).toEqual(['a']);
  });

  it.each([
    ['a maximum', z.array(z.string()).max(3)],
    ['words of a fixed list', z.array(z.enum(['a', 'b']))],
    ['keys of a fixed list', z.record(z.enum(['a', 'b']), z.int())],
  ])('is bounded by %s', (_, schema) => {
    expect(unboundedFields(z.object({ a: schema }))).toEqual([]);
  });
});
