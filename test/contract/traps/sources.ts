import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
/** What others wrote or machines made. */
const NOT_OURS = new Set(['node_modules', '.git', 'cdk.out', 'coverage', 'dist', '.data', '.ci']);

export interface SourceFile {
  /** From the root of the project. */
  readonly path: string;
  readonly text: string;
}

/** The files of the project below a folder whose names end so. */
export function filesIn(folder: string, endings: readonly string[] = ['.ts']): readonly SourceFile[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesIn(path, endings);
    if (!entry.isFile() || !endings.some((each) => entry.name.endsWith(each))) return [];
    return [{ path: relative('.', path), text: readFileSync(join(ROOT, path), 'utf8') }];
  });
}
