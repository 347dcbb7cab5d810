import { resolve } from 'node:path';
import { checkLayers } from '../layers/layers.ts';
import { repeatedNames } from './exported-names.ts';
import { keyFaults } from './stored-keys.ts';
import { boundFaults, unlistedKinds } from './stored-kind-faults.ts';
import { readTree } from './tree-files.ts';

/**
 * `npm run check:tree`: imports obey the layers, no name is exported twice, and keys and bounds come from the
 * table of stored kinds.
 */
const root = resolve(import.meta.dirname, '../../..');
const tree = readTree(root);
const layers = await checkLayers(root);
const faults = [
  ...layers.faults,
  ...repeatedNames(tree),
  ...tree.flatMap(keyFaults),
  ...unlistedKinds(tree),
  ...boundFaults(),
];

for (const fault of faults) console.error(fault);
console.log(
  faults.length === 0
    ? `The tree holds: ${layers.fileCount} files, ${layers.importCount} imports.`
    : `The tree is broken: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}.`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
