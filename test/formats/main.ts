import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { STORED_KINDS } from '../style/stored-kinds.ts';
import { readDataFolder, writeKept } from './kept-data.ts';
import { shapesOf } from './shapes.ts';

/**
 * Keeps what a version has stored, for later versions to be tried on, and the shapes of its stored kinds, for later ones
 * to be compared with. Run before a version is tagged, on a folder that `npm start -- --once --fresh` has made with it.
 * Generated people only.
 */
const [path, version] = process.argv.slice(2);
if (!path || !version || !/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('npm run keep-format -- .data/sandbox 0.2.0');
  process.exit(2);
}
const file = join(import.meta.dirname, `${version}.json.gz`);
await writeKept(file, await readDataFolder(path));
const shapes = join(import.meta.dirname, `${version}.shapes.json`);
await writeFile(shapes, `${JSON.stringify(shapesOf(STORED_KINDS), null, 2)}\n`, { flag: 'wx' });
console.log(`Kept in ${file} and ${shapes}.`);
