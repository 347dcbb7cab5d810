import { resolve } from 'node:path';

/** The folder of `package.json` and `cdk.json`, independent of the working directory. */
export const PROJECT_ROOT = resolve(import.meta.dirname, '../..');
