import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BOUNDED, UNBOUNDED } from './schemas.ts';
import { BOUNDED_ELSEWHERE, isSchema, unboundedFields } from './stored-bounds.ts';
import { storedSchemaFiles } from './stored-types.ts';

const ROOT = resolve(import.meta.dirname, '../..');

async function unboundedIn(path: string): Promise<string[]> {
  const folder = dirname(path).replace('shared/', '');
  const exported: Readonly<Record<string, unknown>> = await import(resolve(ROOT, path));
  const schemas = Object.values(exported).filter(isSchema);
  return schemas.flatMap((schema) => unboundedFields(schema).map((field) => `${folder}.${field}`));
}

describe('a list inside a stored item', () => {
  it('has a bound in its schema, or one that is named', async () => {
    const found = await Promise.all(storedSchemaFiles(ROOT).map(unboundedIn));
    // A difference is a new list without a bound, or a named one that is gone.
    expect([...new Set(found.flat())].sort()).toEqual(Object.keys(BOUNDED_ELSEWHERE).sort());
  });

  it.each(Object.entries(UNBOUNDED))('is missed in %s', (_, schema) => {
    expect(unboundedFields(schema)).toEqual(['a']);
  });

  it.each(Object.entries(BOUNDED))('is bounded by %s', (_, schema) => {
    expect(unboundedFields(schema)).toEqual([]);
  });
});
