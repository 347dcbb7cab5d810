import { resolve } from 'node:path';
import { retiredWords } from './retired-words.ts';
import { readTree } from './tree-files.ts';

/** `npm run check:words`: documents, messages and comments have no retired word. */
const faults = readTree(resolve(import.meta.dirname, '../..')).flatMap(retiredWords);

for (const fault of faults) console.error(fault);
console.log(
  faults.length === 0
    ? 'Words hold: no document, message or comment has a retired word.'
    : `Words broken: ${faults.length} ${faults.length === 1 ? 'place' : 'places'}.`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
