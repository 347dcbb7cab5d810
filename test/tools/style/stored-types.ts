import { globSync } from 'node:fs';

/** Files that parse stored items. The parser's result is the item's type, so that both have the same fields. */
const PATTERN =
  'shared/{records,records/status,records/day,review,credit-ledger,rate-limiter,spend,questions,enrichment/{backfill,requests,policy-change}}/schemas.ts';

/** Paths from `root`. */
export function storedSchemaFiles(root: string): string[] {
  return globSync(PATTERN, { cwd: root });
}

/**
 * Checks that every schema of an object or a union has its inferred type beside it, and that no type is hand-written.
 */
export function typeFaults(text: string): string[] {
  const schemas = [...text.matchAll(/^(?:export )?const (\w+Schema)(:?) *.*= *z\b/gm)];
  return [
    ...schemas.flatMap(([, name, colon]) =>
      colon ? [`${name} has a type annotation: remove it, and infer the type from the schema.`] : [],
    ),
    ...schemas.flatMap(([, name]) =>
      new RegExp(`^export type \\w+ = .*z\\.infer<typeof ${name}>`, 'm').test(text)
        ? []
        : [`${name} has no inferred type: add "export type ... = z.infer<typeof ${name}>".`],
    ),
    ...[...text.matchAll(BY_HAND)].map(
      ([, name]) => `${name} is written by hand: infer it with z.infer from its schema.`,
    ),
  ];
}

const BY_HAND = /^(?:export )?(?:interface|type(?= \w+ = (?:\w+<)?\{)) (\w+)/gm;
