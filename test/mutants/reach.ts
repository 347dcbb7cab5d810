import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Mutant } from './mutant.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Seeds whose runs execute a mutant's line. */
export type Reach = (mutant: Mutant) => readonly number[];

/**
 * Runs the whole product once for each seed, and records the executed lines. A run that does not execute a broken line
 * cannot detect it. Code that runs at load time counts for every seed.
 * @throws Error if a seed breaks an invariant without a mutant.
 */
export async function reachOf(seeds: readonly number[], mutants: readonly Mutant[]): Promise<Reach> {
  // V8 no longer counts functions that it has inlined.
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
  // Loaded only now, so that lines that run at load time are recorded.
  const { drawPlan } = await import('../simulation/draw-plan.ts');
  const { simulate } = await import('../simulation/simulate.ts');
  const onLoading = new Set(
    (await take()).filter(({ block }) => block?.startOffset === 0).map(({ mutant }) => mutant),
  );
  const reached = new Map<Mutant, number[]>();
  for (const seed of seeds) {
    const { problems } = await simulate(drawPlan(seed));
    if (problems.length > 0)
      throw new Error(`Seed ${seed} breaks an invariant without a mutant: ${problems[0]}`);
    for (const { mutant, block } of await take())
      if (onLoading.has(mutant) || (block?.count ?? 0) > 0)
        reached.set(mutant, [...(reached.get(mutant) ?? []), seed]);
  }
  session.disconnect();
  return (mutant) => reached.get(mutant) ?? [];
}

/** Position of the replaced text. Type stripping replaces types by blanks, so positions stay the same. */
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
