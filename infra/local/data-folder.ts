import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseJson } from '#shared/kernel';
import { FORMAT } from '#shared/store';
import { type SavedState, savedStateSchema } from './schemas.ts';
import { settingsError } from './settings-error.ts';

export interface DataFolder {
  readonly tables: string;
  readonly saved: SavedState;
  /** Saves the state. Resolves when this state or a later one is on the disk. */
  save(state: SavedState): Promise<void>;
}

/**
 * Opens the folder. If it has no installation yet, creates one that begins now. Real services and stand-ins have
 * separate folders.
 */
export async function openDataFolder(options: {
  path: string;
  fresh: boolean;
  nowMs: number;
}): Promise<DataFolder> {
  const { path, fresh, nowMs } = options;
  makeFolder(path);
  const known = fresh ? undefined : await readIfThere(stateFileOf(path));
  const folder = dataFolder(path, known ?? newInstallation(nowMs));
  // The rename in `save` replaces the old data in one step.
  if (!known) await folder.save(folder.saved);
  await removeFormer(path, folder.saved.tables);
  return folder;
}

function dataFolder(path: string, saved: SavedState): DataFolder {
  return {
    tables: join(path, saved.tables),
    saved,
    save: oneAtATime((state) => replaceData(path, state)),
  };
}

/**
 * Opens the folder of an installation, and changes nothing in it.
 * @throws SettingsError when it has no installation. A command on a wrong folder would find nothing and report no
 * problem.
 */
export async function readDataFolder(path: string): Promise<DataFolder> {
  const saved = await readIfThere(stateFileOf(path));
  if (!saved) throw settingsError('no-books', { folder: resolve(path) });
  return dataFolder(path, saved);
}

/**
 * Checks the folder's data before anything in the folder changes.
 * @throws SettingsError when the data are damaged or have another format
 */
export async function checkData(path: string): Promise<void> {
  await readIfThere(stateFileOf(path));
}

export function holdsData(path: string): boolean {
  return existsSync(stateFileOf(path));
}

/** Replaces all data of the folder in one step. The tables that `state` names must be filled before the call. */
export async function replaceData(path: string, state: SavedState): Promise<void> {
  await replaceFile(stateFileOf(path), JSON.stringify(state));
}

function stateFileOf(path: string): string {
  return join(path, 'state.json');
}

const TABLES_PREFIX = 'tables-';

export function newTables(): string {
  return `${TABLES_PREFIX}${randomBytes(4).toString('hex')}`;
}

function newInstallation(nowMs: number): SavedState {
  const installationSecret = randomBytes(32).toString('hex');
  return { format: FORMAT, installedAtMs: nowMs, installationSecret, tables: newTables() };
}

async function removeFormer(path: string, tables: string): Promise<void> {
  const former = (await readdir(path)).filter((name) => name.startsWith(TABLES_PREFIX) && name !== tables);
  for (const name of former) await rm(join(path, name), { recursive: true, force: true });
}

/** Runs one write at a time. All calls during a write share one next write, which saves the latest state. */
function oneAtATime(write: (state: SavedState) => Promise<void>): DataFolder['save'] {
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
      // A failed write rejects for its callers only. The next write still runs.
      last = Promise.allSettled([next]);
    }
    return next;
  };
}

/** Replaces a file atomically, even if the machine stops. The content is on the disk before the rename. */
export async function replaceFile(file: string, content: string): Promise<void> {
  await writeFile(`${file}.new`, content, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}

/** @returns `undefined` if there is no such file */
export async function textIn(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readIfThere(file: string): Promise<SavedState | undefined> {
  const text = await textIn(file);
  if (text === undefined) return undefined;
  const content = parseJson(text);
  const { format } = Object(content) as { readonly format?: unknown };
  if (typeof format === 'number' && format !== FORMAT) {
    const writer = format > FORMAT ? 'a newer version' : 'version 0.2';
    throw settingsError('folder-of-other-version', { file, writer });
  }
  const saved = savedStateSchema.safeParse(content);
  if (saved.success) return saved.data;
  throw settingsError('folder-damaged', { file });
}

/** A record of the demonstration, with the case that it shows. */
export type Demo = NonNullable<SavedState['demos']>[number];

/**
 * Creates a folder and its parents, for this user only. Closes an existing folder to other users. The `recursive`
 * option of Node never ends in a place such as
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
