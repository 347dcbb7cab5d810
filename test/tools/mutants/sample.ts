import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
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
