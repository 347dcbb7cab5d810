import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StoredKind } from '#inside/store/transactions.ts';
import { TABLE_NAMES } from '#shared/store';
import { readTree } from './tree-files.ts';

type Row = Pick<
  StoredKind<unknown>,
  'name' | 'prefix' | 'table' | 'schema' | 'fields' | 'expiry' | 'isIndexed' | 'holdsPeople' | 'bound'
> & { readonly key: (id: never) => string };

/** Every row of every `stored-kinds.ts`, by table. */
export const STORED_KINDS: readonly Row[] = await readRows(resolve(import.meta.dirname, '../../..'));

async function readRows(root: string): Promise<Row[]> {
  const files = readTree(root, /^shared\/.*\/stored-kinds\.ts$/);
  const modules: unknown[] = await Promise.all(
    files.map(({ path }) => import(pathToFileURL(join(root, path)).href)),
  );
  const rows = modules.flatMap((each) => Object.values(Object(each))).filter(isRow);
  return TABLE_NAMES.flatMap((table) => rows.filter((row) => row.table === table));
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'holdsPeople' in value;
}
