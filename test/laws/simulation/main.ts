import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { drawPlan } from './draw-plan.ts';
import type { Plan } from './plan.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';

/**
 * `npm run sim -- [--seed N|random] [--runs K]`: K runs from that seed on. Shrinks a plan that breaks an invariant,
 * and prints it with the command that repeats it, `npm run sim -- --plan JSON`.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1' },
    plan: { type: 'string' },
  },
});

/** Time limit for shrinking a counterexample. */
const SHRINK_MS = 30_000;

let broken = 0;
if (values.plan !== undefined) {
  broken = (await follow('plan', JSON.parse(values.plan))) ? 0 : 1;
} else {
  const seeds = seedsInARow();
  for (const seed of seeds) if (!(await follow(`seed ${seed}`, drawPlan(seed)))) broken += 1;
  console.log(`${seeds.length - broken} passed, ${broken} failed`);
}
process.exitCode = broken > 0 ? 1 : 0;

function seedsInARow(): number[] {
  const first = values.seed === 'random' ? randomInt(1_000_000) : wholeNumber('seed', values.seed);
  return Array.from({ length: wholeNumber('runs', values.runs) }, (_, index) => first + index);
}

/** @returns whether every invariant holds. */
async function follow(name: string, plan: Plan): Promise<boolean> {
  const { lines, problems } = await simulate(plan);
  if (problems.length === 0) {
    console.log(`${name}: every invariant holds; ${lines.join('; ')}`);
    return true;
  }
  console.log(`${name} breaks an invariant`);
  for (const problem of problems) console.log(`  BROKEN ${problem}`);
  const untilMs = performance.now() + SHRINK_MS;
  const smallest = await shrink(
    { plan, problems },
    { follow: async (each) => (await simulate(each)).problems, isOver: () => performance.now() > untilMs },
  );
  console.log('The smallest plan that still breaks it:');
  for (const problem of smallest.problems) console.log(`  BROKEN ${problem}`);
  console.log(`npm run sim -- --plan '${JSON.stringify(smallest.plan)}'`);
  return false;
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number.`);
}
