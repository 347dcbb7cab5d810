import { resolve } from 'node:path';
import { faceFaults, modulesOf } from './faces.ts';
import { checkLayers } from './layers.ts';

/** `npm run check:layers`: checks the imports and the faces against their rules. */
const root = resolve(import.meta.dirname, '../..');
const modules = modulesOf(root);

const { faults: layerFaults, fileCount, importCount } = await checkLayers(root);
const faults = [...layerFaults, ...faceFaults(modules)];

for (const fault of faults) console.error(fault);
console.log(
  faults.length === 0
    ? `Layers hold: ${fileCount} files, ${importCount} imports.`
    : `Layers broken: ${faults.length} ${faults.length === 1 ? 'fault' : 'faults'} in ${fileCount} files.`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
