import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { seededRandom } from '#shared/kernel';
import { MUTANTS } from './list.ts';
import type { Mutant } from './mutant.ts';
import { openWorkshop, type Tested, type Workshop } from './workshop.ts';

/**
 * `npm run mutants [-- --sample N --seed S] [-- --only NAME]`: breaks single lines of the product; the tests must
 * detect each. `--by simulation` uses only the simulation, which knows no source file, for mutants that break an
 * invariant.
 */
const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string' },
    only: { type: 'string' },
    by: { type: 'string' },
  },
});

const isSimulated = values.by === 'simulation';
/** Mutants that continuous integration runs. */
const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1);

const chosen = choose();
const workshop = openWorkshop();
let survived = 0;
try {
  const look = isSimulated ? await bySimulation(workshop) : await byTests(workshop);
  for (const mutant of chosen) if (!(await isKilled(mutant, { workshop, look }))) survived += 1;
} finally {
  workshop.close();
}
const killed = chosen.length - survived;
if (isSimulated) {
  const percent = Math.round((100 * killed) / chosen.length);
  console.log(`The simulation alone noticed ${killed} of ${chosen.length} that break a law: ${percent}%`);
} else console.log(`${killed} passed, ${survived} failed`);
process.exitCode = survived > (isSimulated ? chosen.length / 4 : 0) ? 1 : 0;

function choose(): readonly Mutant[] {
  const { only, sample } = values;
  const visible = MUTANTS.filter(({ law }) => !isSimulated || law !== undefined);
  const all = only === undefined ? visible : visible.filter(({ name }) => name.includes(only));
  if (all.length === 0) throw new Error(`No mutant is named "${only}".`);
  if (sample === undefined) return all;
  const seed = values.seed === undefined ? randomInt(1_000_000) : wholeNumber('seed', values.seed);
  const random = seededRandom(seed);
  console.log(`seed ${seed}`);
  const shuffled = all.map((mutant) => ({ mutant, place: random() })).sort((a, b) => a.place - b.place);
  return shuffled.slice(0, wholeNumber('sample', sample)).map(({ mutant }) => mutant);
}

type Look = (mutant: Mutant) => Promise<Tested>;

async function byTests({ test }: Workshop): Promise<Look> {
  const whole = await test([...new Set(chosen.flatMap(({ suites }) => suites))]);
  if (whole.kind !== 'passed') throw new Error(`The tests do not pass without a mutant: ${whole.told}`);
  return ({ suites }) => test(suites);
}

async function bySimulation({ simulate }: Workshop): Promise<Look> {
  const { reachOf } = await import('./reach.ts');
  const seedsOf = await reachOf(SEEDS, chosen);
  return (mutant) => simulate(seedsOf(mutant));
}

async function isKilled(
  mutant: Mutant,
  { workshop, look }: { readonly workshop: Workshop; readonly look: Look },
): Promise<boolean> {
  const startedAt = performance.now();
  const tell = (verdict: string) => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.log(`${verdict.padEnd(8)} ${mutant.name} (${mutant.file}, ${seconds} s)`);
  };
  if (!workshop.put(mutant)) {
    tell('STALE');
    console.log('         What it replaces is not there exactly once.');
    return false;
  }
  const result = await look(mutant);
  workshop.restore(mutant);
  const isSeen = result.kind === 'failed' || result.kind === 'endless';
  tell(isSeen ? 'killed' : 'SURVIVED');
  console.log(`         ${result.told}`);
  return isSeen;
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number.`);
}
