import { coverageTables } from './coverage.ts';
import { writeTables } from './page.ts';

/** Prints where the fields of 300 generated people and companies go; with `--write` into the mapping page too. */
const tables = await coverageTables();
process.stdout.write(`${tables}\n`);
if (process.argv.includes('--write')) writeTables(tables);
