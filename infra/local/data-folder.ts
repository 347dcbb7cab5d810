import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseJson } from '#shared/kernel';
import { BEGIN_ANEW } from './failure.ts';
import { type SavedState, savedStateSchema } from './schemas.ts';
import { SettingsError } from './settings.ts';

export interface DataFolder {
  /** Where the embedded DynamoDB keeps its tables. */
  readonly tables: string;
  readonly saved: SavedState;
  /** Resolves when this state, or a later one, is on the disk. */
  save(state: SavedState): Promise<void>;
}

/** Opens the folder, or makes a new one whose installation begins now. Each mode has a folder of its own. */
export async function openDataFolder(options: {
  path: string;
  fresh: boolean;
  nowMs: number;
}): Promise<DataFolder> {
  const { path, fresh, nowMs } = options;
  await mkdir(path, { recursive: true, mode: 0o700 });
  const file = stateFileOf(path);
  const save = inTurn((state) => replace(file, JSON.stringify(state)));
  const known = fresh ? undefined : await readIfThere(file);
  const saved = known ?? newInstallation(nowMs);
  // One rename makes the folder empty; before it, nothing has changed.
  if (!known) await save(saved);
  await removeFormer(path, saved.tables);
  return { tables: join(path, saved.tables), saved, save };
}

/**
 * An empty answer from a folder that is not the installation's would be a false all-clear.
 * @throws SettingsError where no books are
 */
export async function requireBooks(path: string): Promise<void> {
  try {
    await access(stateFileOf(path));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    throw new SettingsError(
      `There are no books in ${resolve(path)}. Set DATA_DIR to the folder that has them, or run npm start or setup to begin there.`,
    );
  }
}

/** Whether there is something in it that a new installation would take away. */
export function holdsData(path: string): boolean {
  return existsSync(stateFileOf(path));
}

/** Puts what was made elsewhere in the place of all that the folder holds. `tables` are filled already, beside those in use. */
export async function replaceData(path: string, state: SavedState): Promise<void> {
  await replace(stateFileOf(path), JSON.stringify(state));
}

function stateFileOf(path: string): string {
  return join(path, 'state.json');
}

const TABLES_PREFIX = 'tables-';

/** A name for a folder of tables that was never used. */
export function newTables(): string {
  return `${TABLES_PREFIX}${randomBytes(4).toString('hex')}`;
}

function newInstallation(nowMs: number): SavedState {
  const installationSecret = randomBytes(32).toString('hex');
  return { format: 1, installedAtMs: nowMs, installationSecret, tables: newTables(), queued: [] };
}

async function removeFormer(path: string, tables: string): Promise<void> {
  const former = (await readdir(path)).filter((name) => name.startsWith(TABLES_PREFIX) && name !== tables);
  for (const name of former) await rm(join(path, name), { recursive: true, force: true });
}

/** One write at a time. Who comes while one is under way shares the next, which holds the last state. */
function inTurn(write: (state: SavedState) => Promise<void>): DataFolder['save'] {
  let latest: SavedState;
  let next: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (state) => {
    latest = state;
    if (!next) {
      next = last.then(() => {
        next = undefined;
        return write(latest);
      });
      // Who asked for a write is told when it fails; the one after it has its turn all the same.
      last = Promise.allSettled([next]);
    }
    return next;
  };
}

/** Whole or not at all, whenever the process or the machine stops: the new content is on the disk before its name. */
async function replace(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}

async function readIfThere(file: string): Promise<SavedState | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const saved = savedStateSchema.safeParse(parseJson(text));
  if (saved.success) return saved.data;
  // No JSON, or not of this shape: damaged, empty, or of a newer version.
  throw new SettingsError(`${file} is damaged: ${BEGIN_ANEW}.`);
}

/** One record of the demonstration, and what it is there to show. */
export type Demo = NonNullable<SavedState['demos']>[number];
