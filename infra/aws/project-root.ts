import { resolve } from 'node:path';

/** The folder of `package.json` and `cdk.json`, wherever a command was started. */
export const PROJECT_ROOT = resolve(import.meta.dirname, '../..');
