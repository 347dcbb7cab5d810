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

/** What is imported for more than its types: modules by name, and files as they are written. */
export function importsOf({ text }: SourceFile): readonly string[] {
  const found = text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'|import\('([^']+)'\)/gms);
  return [...found].map(([, name, dynamic]) => name ?? dynamic ?? '');
}

/** The file and all of ours that it imports, however far. */
export function reachableFrom(path: string): readonly SourceFile[] {
  const reached = new Map<string, SourceFile>();
  const visit = (at: string) => {
    if (reached.has(at)) return;
    const file = { path: at, text: readFileSync(join(ROOT, at), 'utf8') };
    reached.set(at, file);
    for (const name of importsOf(file)) {
      if (name.startsWith('.')) visit(join(at, '..', name));
      if (name.startsWith('#shared/'))
        visit(name.endsWith('/adapters') ? `${name.slice(1)}.ts` : `${name.slice(1)}/index.ts`);
    }
  };
  visit(path);
  return [...reached.values()];
}
