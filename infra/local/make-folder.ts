import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { settingsError } from './settings-error.ts';

/**
 * Creates a folder and its parents, for this user only. Closes an existing folder to other users. The `recursive` option of Node never ends in a place such as
 * `/proc`, where a folder cannot be created although its parent exists.
 * @throws SettingsError if no folder can be created there
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const known = code === 'EEXIST' ? statSync(path, { throwIfNoEntry: false }) : undefined;
    if (known?.isDirectory()) {
      // An earlier folder may be open to other users of the machine.
      if ((known.mode & 0o077) !== 0) chmodSync(path, known.mode & 0o700);
      return;
    }
    if (code !== 'ENOENT') throw error;
    const parent = dirname(path);
    if (existsSync(parent)) throw settingsError('folder-refused', { folder: path });
    makeFolder(parent);
    makeFolder(path);
  }
}
