import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Mutant } from './mutant.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** The seeds whose runs come by a mutant. */
export type Reach = (mutant: Mutant) => readonly number[];

/**
 * Runs the whole product once a seed, and looks which of the lines are reached: who never comes by a broken line
 * cannot tell that it is broken. What is computed as a file is loaded is reached by every seed.
 * @throws Error when a seed breaks a law already.
 */
export async function reachOf(seeds: readonly number[], mutants: readonly Mutant[]): Promise<Reach> {
  // What V8 puts into its callers it does not count any more.
  for (const flag of ['--no-opt', '--no-maglev']) setFlagsFromString(flag);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const places = mutants.map((mutant) => ({ mutant, ...placeOf(mutant) }));
  const take = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const functionsIn = new Map(result.map(({ url, functions }) => [url, functions]));
    return places.map(({ mutant, url, offset }) => ({
      mutant,
      block: innermost(functionsIn.get(url) ?? [], offset),
    }));
  };
  // Loaded only now, so that it is seen what is reached by loading.
  const { drawPlan } = await import('../simulation/draw-plan.ts');
  const { simulate } = await import('../simulation/simulate.ts');
  const onLoading = new Set(
    (await take()).filter(({ block }) => block?.startOffset === 0).map(({ mutant }) => mutant),
  );
  const reached = new Map<Mutant, number[]>();
  for (const seed of seeds) {
    const { problems } = await simulate(drawPlan(seed));
    if (problems.length > 0) throw new Error(`Seed ${seed} breaks a law without a mutant: ${problems[0]}`);
    for (const { mutant, block } of await take())
      if (onLoading.has(mutant) || (block?.count ?? 0) > 0)
        reached.set(mutant, [...(reached.get(mutant) ?? []), seed]);
  }
  session.disconnect();
  return (mutant) => reached.get(mutant) ?? [];
}

/** Where the text begins that is replaced: types are blanked out as a file is loaded, so places stay what they are. */
function placeOf({ file, replace }: Mutant) {
  const path = resolve(ROOT, file);
  return { url: pathToFileURL(path).href, offset: readFileSync(path, 'utf8').indexOf(replace) };
}

function innermost(functions: readonly Profiler.FunctionCoverage[], offset: number) {
  return functions
    .flatMap(({ ranges }) => ranges)
    .filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
    .sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))[0];
}
