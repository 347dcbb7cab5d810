import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * Where stored items are parsed. A stored item's type is what its parser makes, so that no field can be in one and not
 * in the other.
 */
const ROOT = resolve(import.meta.dirname, '../..');
const FILES = globSync(
  'shared/{alerts,records,records/rounds,records/brought,review,credit-ledger,rate-limiter,spend,questions,enrichment/{backfill,requests,policy-change}}/schemas.ts',
  {
    cwd: ROOT,
  },
);

/** Every schema of an object or a union has its type inferred beside it, and no type is written by hand. */
function faultsOf(text: string): string[] {
  const schemas = [...text.matchAll(/^(?:export )?const (\w+Schema)(:?) *.*= *z\b/gm)];
  return [
    ...schemas.flatMap(([, name, colon]) => (colon ? [`${name} has a type written beside it`] : [])),
    ...schemas.flatMap(([, name]) =>
      new RegExp(`^export type \\w+ = .*z\\.infer<typeof ${name}>`, 'm').test(text)
        ? []
        : [`${name} has no inferred type`],
    ),
    ...[...text.matchAll(/^(?:export )?interface (\w+)/gm)].map(([, name]) => `${name} is written by hand`),
  ];
}

describe("a stored item's type", () => {
  it('is looked for in every folder that stores items', () => {
    expect(FILES).toHaveLength(12);
  });

  it.each(FILES)('is inferred from its schema in %s', (path) => {
    expect(faultsOf(readFileSync(resolve(ROOT, path), 'utf8'))).toEqual([]);
  });

  it.each([
    'export const aSchema = z.object({});',
    'const aSchema = z\n  .object({});',
    'export const aSchema: z.ZodType<A> = z.object({});\nexport type A = z.infer<typeof aSchema>;',
    'export interface A { readonly id: string }',
  ])('is missed in %j', (text) => {
    expect(faultsOf(text)).toHaveLength(1);
  });

  it('is seen however it is made readonly, and a variant of a schema needs none', () => {
    const inferred =
      'const aSchema = z.object({});\nexport type A = DeepReadonly<z.infer<typeof aSchema>>;\n';
    expect(faultsOf(`${inferred}export const bSchema = aSchema.catch({});`)).toEqual([]);
  });
});
