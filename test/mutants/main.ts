import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { seededRandom } from '#shared/kernel/random.ts';
import { MUTANTS } from './list.ts';
import type { Mutant } from './mutant.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

/**
 * `npm run mutants [-- --sample N --seed S] [-- --only NAME]`: breaks the product line by line; each must be noticed.
 * With `--by simulation` by the simulation alone, which knows nothing of any file.
 */
const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    by: { type: 'string' },
  },
});

const SIMULATION = ['test/simulation/simulation.test.ts'];
const suitesOf = ({ suites }: Mutant) => (values.by === 'simulation' ? SIMULATION : suites);

const chosen = choose();
const workshop = openWorkshop();
let survived = 0;
try {
  const whole = await workshop.test([...new Set(chosen.flatMap(suitesOf))]);
  if (whole.kind !== 'passed') throw new Error(`The tests do not pass without a mutant: ${whole.told}`);
  for (const mutant of chosen) if (!(await isKilled(mutant, workshop))) survived += 1;
} finally {
  workshop.close();
}
console.log(`${chosen.length - survived} passed, ${survived} failed`);
process.exitCode = survived > 0 ? 1 : 0;

function choose(): readonly Mutant[] {
  const { only, sample } = values;
  const all = only === undefined ? MUTANTS : MUTANTS.filter(({ name }) => name.includes(only));
  if (all.length === 0) throw new Error(`No mutant is named "${only}".`);
  if (sample === undefined) return all;
  const seed = values.seed === undefined ? randomInt(1_000_000) : wholeNumber('seed', values.seed);
  const random = seededRandom(seed);
  console.log(`seed ${seed}`);
  const shuffled = all.map((mutant) => ({ mutant, place: random() })).sort((a, b) => a.place - b.place);
  return shuffled.slice(0, wholeNumber('sample', sample)).map(({ mutant }) => mutant);
}

async function isKilled(mutant: Mutant, { put, test, restore }: Workshop): Promise<boolean> {
  const startedAt = performance.now();
  const tell = (verdict: string) => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.log(`${verdict.padEnd(8)} ${mutant.name} (${mutant.file}, ${seconds} s)`);
  };
  if (!put(mutant)) {
    tell('STALE');
    console.log('         What it replaces is not there exactly once.');
    return false;
  }
  const result = await test(suitesOf(mutant));
  restore(mutant);
  const isSeen = result.kind === 'failed' || result.kind === 'endless';
  tell(isSeen ? 'killed' : 'SURVIVED');
  console.log(`         ${result.told}`);
  return isSeen;
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number.`);
}
