import { parseArgs } from 'node:util';
import { drawPlan } from './plan.ts';
import { simulate } from './simulate.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, runs: { type: 'string', default: '1' } },
});
const first = wholeNumber('seed', values.seed);
const runs = wholeNumber('runs', values.runs);

let broken = 0;
for (let seed = first; seed < first + runs; seed += 1) {
  const plan = drawPlan(seed);
  console.log(`seed ${seed}`);
  console.log(`plan ${JSON.stringify(plan)}`);
  const { lines, problems } = await simulate(plan);
  for (const line of lines) console.log(line);
  for (const problem of problems) console.log(`BROKEN ${problem}`);
  if (problems.length === 0) console.log('every law holds');
  else broken += 1;
}
if (broken > 0) console.log(`${broken} of ${runs} runs broke a law; each is repeated by its seed`);
process.exitCode = broken > 0 ? 1 : 0;

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number.`);
}
