import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storedSchemaFiles, typeFaults } from './stored-types.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const FILES = storedSchemaFiles(ROOT);

describe("a stored item's type", () => {
  it('is looked for in every folder that stores items', () => {
    expect(FILES).toHaveLength(11);
  });

  it.each(FILES)('is inferred from its schema in %s', (path) => {
    expect(typeFaults(readFileSync(resolve(ROOT, path), 'utf8'))).toEqual([]);
  });

  it.each([
    'export const aSchema = z.object({});',
    'const aSchema = z\n  .object({});',
    'export const aSchema: z.ZodType<A> = z.object({});\nexport type A = z.infer<typeof aSchema>;',
    'export interface A { readonly id: string }',
    'export type A = { readonly id: string };',
    'type A = Readonly<{ id: string }>;',
  ])('is missed in %j', (text) => {
    expect(typeFaults(text)).toHaveLength(1);
  });

  it('is seen however it is made readonly, and a variant of a schema needs none', () => {
    const inferred =
      'const aSchema = z.object({});\nexport type A = DeepReadonly<z.infer<typeof aSchema>>;\n';
    expect(typeFaults(`${inferred}export const bSchema = aSchema.catch({});`)).toEqual([]);
  });
});
