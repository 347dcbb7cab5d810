import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SavedState } from './saved-state.ts';

export interface DataFolder {
  /** Where the embedded DynamoDB keeps its tables. */
  readonly tables: string;
  readonly saved: SavedState;
  save(state: SavedState): Promise<void>;
}

/** Opens the folder, or makes a new one whose installation begins now. Each mode has a folder of its own. */
export async function openDataFolder(options: {
  path: string;
  fresh: boolean;
  nowMs: number;
}): Promise<DataFolder> {
  const { path, fresh, nowMs } = options;
  if (fresh) await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true, mode: 0o700 });
  const file = join(path, 'state.json');
  const save = async (state: SavedState) => {
    await writeFile(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
    await rename(`${file}.new`, file);
  };
  const known = await readIfThere(file);
  const saved = known ?? {
    installedAtMs: nowMs,
    installationSecret: randomBytes(32).toString('hex'),
    queued: [],
  };
  if (!known) await save(saved);
  return { tables: join(path, 'tables'), saved, save };
}

async function readIfThere(file: string): Promise<SavedState | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as SavedState;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new Error(`${file} cannot be read; start with --fresh to begin anew.`, { cause: error });
  }
}
