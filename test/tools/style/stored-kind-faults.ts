import { isSchema, unboundedFields } from './stored-bounds.ts';
import { STORED_KINDS } from './stored-kinds.ts';
import type { TreeFile } from './tree-files.ts';

/** Finds lists whose bound is missing in the row of their kind, and bounds of lists that no longer exist. */
export function boundFaults(): string[] {
  return STORED_KINDS.flatMap(({ name, schema: given, bound }) => {
    const schema = 'listed' in given ? given.listed : given;
    if (!isSchema(schema))
      return [`${name} has a schema without fields: give its row the zod schema of the stored body.`];
    const unbounded = new Set(unboundedFields(schema));
    const named = Object.keys(bound);
    return [
      ...[...unbounded]
        .filter((field) => !named.includes(field))
        .map(
          (field) =>
            `${name}: ${field} has no bound. Add .max() to its schema, or say what bounds it in "bound" of the row.`,
        ),
      ...named
        .filter((field) => !unbounded.has(field))
        .map((field) => `${name}: ${field} needs no bound: remove it from "bound" of the row.`),
    ];
  });
}

/** Finds kinds that are defined outside the files of stored kinds. */
export function unlistedKinds(files: readonly TreeFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('shared/') && !path.endsWith('/stored-kinds.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\bconst (\w+) = kind\(/g)].map(
        ([, name = '']) =>
          `${path}: ${name} is a stored kind outside of stored-kinds.ts: move it to that file of its folder.`,
      ),
    );
}

const HEADER = ['| what | table | kept for | a privacy deletion removes |', '| - | - | - | - |'];

/** The table of docs/reference/stored-data.md. */
function storedKindTable(): string {
  const rows = STORED_KINDS.map(({ name, table, expiry, holdsPeople }) => {
    const removed = holdsPeople === false ? 'holds no value of a person' : holdsPeople;
    return `| ${[name, table, expiry.kept, removed].join(' | ')} |`;
  });
  return [...HEADER, ...rows].join('\n');
}

export const STORED_DATA = 'docs/reference/stored-data.md';

/** The document with the current table; `npm run reference` writes it. */
export function withStoredKindTable(text: string): string {
  const table = /^\| what \| table \|.*\n(?:\|.*\n)*/m;
  return text.replace(table, () => `${storedKindTable()}\n`);
}
