import { join } from 'node:path';
import { readDataFolder, writeKept } from './kept-data.ts';

/**
 * Keeps what a version has stored, for later versions to be tried on: run before a version is tagged, on a folder that
 * `npm start -- --once --fresh` has made with it. Generated people only.
 */
const [path, version] = process.argv.slice(2);
if (!path || !version || !/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('npm run keep-format -- .data/sandbox 0.2.0');
  process.exit(2);
}
const file = join(import.meta.dirname, `${version}.json.gz`);
await writeKept(file, await readDataFolder(path));
console.log(`Kept in ${file}.`);
