import { resolve } from 'node:path';
import { repeatedNames } from './exported-names.ts';
import { readTree } from './tree-files.ts';

/** `npm run check:names`: no name is exported twice. */
const files = readTree(resolve(import.meta.dirname, '../..'));
const faults = repeatedNames(files);

for (const fault of faults) console.error(fault);
console.log(
  faults.length === 0
    ? 'Names hold: each exported name is exported once.'
    : `Names broken: ${faults.length} ${faults.length === 1 ? 'name' : 'names'}.`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
