import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { STATE_ITEMS } from './state-item-list.ts';
import { builtElsewhere } from './state-items.ts';
import { keyFaults } from './stored-keys.ts';
import { boundFaults, unlistedKinds } from './stored-kind-faults.ts';
import { storedSchemaFiles, typeFaults } from './stored-types.ts';
import { readTree } from './tree-files.ts';

/**
 * `npm run check:stored`: stored items have the types of their schemas, their transitions build states, and keys and
 * bounds come from the table of stored kinds.
 */
const root = resolve(import.meta.dirname, '../..');
const files = storedSchemaFiles(root);
const tree = readTree(root);
const faults = [
  ...files.flatMap((path) =>
    typeFaults(readFileSync(join(root, path), 'utf8')).map((fault) => `${path}: ${fault}`),
  ),
  ...tree.flatMap(keyFaults),
  ...unlistedKinds(tree),
  ...boundFaults(),
  ...builtElsewhere(STATE_ITEMS, { root, added: {} }),
];

for (const fault of faults) console.error(fault);
console.log(
  faults.length === 0
    ? `Stored items hold: ${files.length} files of schemas, ${STATE_ITEMS.length} items with states.`
    : `Stored items broken: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}.`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
