import { resolve } from 'node:path';
import { checkLayers } from './layers.ts';

/** `npm run check:layers`: checks the imports against their rules. */
const { faults, fileCount, importCount } = await checkLayers(resolve(import.meta.dirname, '../..'));

for (const fault of faults) console.error(fault);
console.log(
  faults.length === 0
    ? `Layers hold: ${fileCount} files, ${importCount} imports.`
    : `Layers broken: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} in ${fileCount} files.`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
