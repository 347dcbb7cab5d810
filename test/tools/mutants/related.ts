import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');
/** These read the code's text, draw pages or start programs. */
const OTHERS = /^test\/(?:system|tools)\//;
const MOST_SUITES = 30;

/** Finds the test files that reach a file by imports: those of the same name first, then the nearest. */
export function openRelated(files: readonly string[]): (file: string) => readonly string[] {
  const importers = importersOf(files);
  return (file) => {
    const steps = new Map([[file, 0]]);
    for (const [reached, distance] of steps)
      for (const importer of importers.get(reached) ?? [])
        if (!steps.has(importer)) steps.set(importer, distance + 1);
    const words = basename(file, '.ts')
      .split(/[-.]/)
      .filter(({ length }) => length > 4);
    const isNamedAlike = (suite: string) => words.some((word) => basename(suite).includes(word));
    const placeOf = ([suite, distance]: readonly [string, number]) =>
      distance - (suite.startsWith(`test/unit/${dirname(file)}`) ? 20 : 0) - (isNamedAlike(suite) ? 10 : 0);
    return [...steps]
      .filter(([suite]) => suite.endsWith('.test.ts') && !OTHERS.test(suite))
      .sort((a, b) => placeOf(a) - placeOf(b) || (a[0] < b[0] ? -1 : 1))
      .slice(0, MOST_SUITES)
      .map(([suite]) => suite);
  };
}

function importersOf(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const importers = new Map<string, string[]>();
  for (const file of files)
    for (const [, specifier = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)) {
      const target = targetOf(specifier, file);
      if (target) importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  return importers;
}

const IMPORT = /(?:from|import) ?\(?'([^']+)'/g;

function targetOf(specifier: string, from: string): string | undefined {
  if (specifier === '#shared/app') return 'shared/app.ts';
  if (specifier.startsWith('#inside/')) return `shared/${specifier.slice('#inside/'.length)}`;
  const face = specifier.startsWith('#shared/') ? specifier.slice('#shared/'.length) : undefined;
  if (face) return face.endsWith('/adapters') ? `shared/${face}.ts` : `shared/${face}/index.ts`;
  return specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : undefined;
}
