import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { keyFaults } from './stored-keys.ts';
import { unlistedKinds } from './stored-kind-faults.ts';
import { STORED_KINDS } from './stored-kinds.ts';
import { readTree } from './tree-files.ts';

const files = readTree(resolve(import.meta.dirname, '../../..'));

/** Each line goes around the table of stored kinds in a way of its own. */
const BAD = [
  "const key = 'contacts#1' as ItemKey;",
  'const key = recordKey(record) as unknown as ItemKey;',
  'const partition = <IndexPartition>name;',
  "const key = storedKey(OWNERS, recordKind, 'contacts#1');",
  "await client.send(new GetCommand({ Key: { pk: 'portal-1#contacts#1' } }));",
  'await items.write({ key, value, expectedVersion: stored.version });',
];

const GOOD = [
  'const key = recordKind.key(record);',
  'await items.write({ key, value, ...replacing(stored) });',
  'await items.write({ key, value, expectedVersion: undefined });',
];

it('stored keys are built by the table of stored kinds and nowhere else', () => {
  expect(files.flatMap(keyFaults)).toEqual([]);
});

it('a stored key that is built elsewhere is found', () => {
  const faultsOf = (line: string) => keyFaults({ path: 'shared/records/journal.ts', text: line });
  expect(BAD.filter((line) => faultsOf(line).length === 0)).toEqual([]);
  expect(GOOD.flatMap(faultsOf)).toEqual([]);
});

it('every kind stands in a stored-kinds.ts', () => {
  expect(unlistedKinds(files)).toEqual([]);
  const added = { path: 'shared/records/journal.ts', text: 'export const newKind = kind({' };
  expect(unlistedKinds([...files, added])).toEqual([
    expect.stringMatching(/^shared\/records\/journal\.ts: newKind /),
  ]);
});

/** A key names its kind up to the second `#`, and permissions rely on it. */
it('each kind has a prefix of its own', () => {
  const prefixes = STORED_KINDS.map(({ prefix }) => prefix);
  expect(prefixes.filter((prefix, nth) => prefixes.indexOf(prefix) !== nth)).toEqual([]);
  expect(prefixes.filter((prefix) => !/^[a-z-]+$/.test(prefix))).toEqual([]);
});
