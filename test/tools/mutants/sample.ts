import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { seededRandom } from '#shared/kernel';

/** A fault in one place of the product. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** Stryker's name for this kind of fault. */
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  /** The whole file with the fault. */
  readonly text: string;
}

const ROOT = resolve(import.meta.dirname, '../../..');
const TOOLS = join(ROOT, 'node_modules/.cache/mutants');
const INSTRUMENTER = '@stryker-mutator/instrumenter@9.6.1';

/** Draws `count` mutants of the given files by seed, from all that Stryker's mutators can make. */
export async function drawMutants(
  files: readonly string[],
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<readonly Mutant[]> {
  const mutantsOf = await openStryker();
  const all: Mutant[] = [];
  for (const file of files) all.push(...(await mutantsOf(file)));
  const random = seededRandom(seed);
  const placed = all.map((mutant) => ({ mutant, place: random() }));
  return placed
    .sort((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ mutant }) => mutant);
}

interface Position {
  readonly line: number;
  readonly column: number;
}

interface Instrumented {
  readonly mutants: readonly {
    readonly mutatorName: string;
    readonly replacement: string;
    readonly location: { readonly start: Position; readonly end: Position };
  }[];
}

/** Only who looks for mutants needs Stryker, so it is installed at the first use. */
async function openStryker() {
  if (!existsSync(join(TOOLS, 'node_modules')))
    execFileSync('npm', ['install', '--prefix', TOOLS, '--no-save', INSTRUMENTER], { stdio: 'inherit' });
  const load = (path: string) => import(pathToFileURL(join(TOOLS, 'node_modules', path)).href);
  const { createInstrumenter } = await load('@stryker-mutator/instrumenter/dist/src/index.js');
  const { createInjector } = await load('typed-inject/dist/src/index.js');
  const silent = new Proxy({}, { get: (_, name) => () => !String(name).startsWith('is') });
  const injector = createInjector().provideValue('logger', silent).provideValue('options', {});
  const options = { plugins: null, excludedMutations: [], ignorers: [], mutationRange: [], noHeader: true };
  return async (name: string): Promise<readonly Mutant[]> => {
    const content = readFileSync(join(ROOT, name), 'utf8');
    const file = { name, mutate: true, content };
    const found: Instrumented = await createInstrumenter(injector).instrument([file], options);
    const offsetOf = offsets(content);
    return found.mutants.map(({ mutatorName, replacement, location: { start, end } }) => {
      const [from, to] = [offsetOf(start), offsetOf(end)];
      return {
        file: name,
        line: start.line + 1,
        mutator: mutatorName,
        original: content.slice(from, to),
        replacement,
        text: content.slice(0, from) + replacement + content.slice(to),
      };
    });
  };
}

function offsets(content: string): (position: Position) => number {
  const starts = [0, ...[...content.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return ({ line, column }) => (starts[line] ?? 0) + column;
}

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
