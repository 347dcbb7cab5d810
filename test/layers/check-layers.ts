import { resolve } from 'node:path';
import { faceFaults, modulesOf, pictureOf } from './faces.ts';
import { checkLayers } from './layers.ts';

/**
 * Holds the imports and the faces against their rules. `--picture` prints the folders with their arrows, as
 * ARCHITECTURE.md shows them.
 */

const root = resolve(import.meta.dirname, '../..');
const modules = modulesOf(root);
if (process.argv.includes('--picture')) console.log(pictureOf(modules));

const { faults: layerFaults, fileCount, importCount } = await checkLayers(root);
const faults = [...layerFaults, ...faceFaults(modules)];

for (const fault of faults) console.error(fault);
console.log(
  faults.length === 0
    ? `Layers hold: ${fileCount} files, ${importCount} imports.`
    : `Layers broken: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} in ${fileCount} files.`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
