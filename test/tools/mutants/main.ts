import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { drawMutants, type Mutant, openRelated } from './sample.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

/**
 * `npm run mutants [-- --count N --seed S --files REGEX]`: breaks single places of the product, drawn by seed, and runs
 * the tests that reach each. Names those that no test noticed, and fails if they are too many.
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    files: { type: 'string', default: '^(shared|functions)/' },
  },
});

/** Some mutants change nothing that anybody could see, so the rest may not all be noticed. */
const LEAST_NOTICED = 0.7;
/** The nearest suites notice most mutants, so the others often need not run. */
const STEPS = [
  [0, 3],
  [3, 15],
  [15, undefined],
] as const;

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => existsSync(file));
const wanted = new RegExp(values.files);
const product = files.filter((file) => wanted.test(file) && !file.startsWith('test/'));
const seed = wholeNumber('seed', values.seed);
console.log(`seed ${seed}, ${product.length} files`);
const mutants = await drawMutants(product, { count: wholeNumber('count', values.count), seed });
if (mutants.length === 0) throw new Error(`No mutant is in "${values.files}".`);

const relatedTo = openRelated(files);
const workshop = openWorkshop();
let noticed = 0;
/** Of these. On a busy machine, a run that is only slow counts as one without an end. */
let endless = 0;
try {
  const unbroken = await workshop.test(undefined, relatedTo(mutants[0]?.file ?? '').slice(...STEPS[0]));
  if (unbroken.kind !== 'passed') throw new Error(`Without a fault: ${unbroken.kind}, ${unbroken.told}`);
  for (const mutant of mutants) if (await isNoticed(mutant, workshop)) noticed += 1;
} finally {
  workshop.close();
}
const share = noticed / mutants.length;
console.log(
  `${noticed} of ${mutants.length} noticed: ${Math.round(100 * share)}%, ${endless} of them by no end`,
);
console.log(share < LEAST_NOTICED ? '0 passed, 1 failed' : '1 passed, 0 failed');
process.exitCode = share < LEAST_NOTICED ? 1 : 0;

async function isNoticed(mutant: Mutant, { test }: Workshop): Promise<boolean> {
  const suites = relatedTo(mutant.file);
  const { file, line, mutator, original, replacement } = mutant;
  const tell = (verdict: string, told: string) => {
    console.log(`${verdict.padEnd(8)} ${file}:${line} ${mutator}: ${told}`);
    console.log(`         ${inLine(original)} -> ${inLine(replacement)}`);
  };
  for (const step of STEPS) {
    const some = suites.slice(...step);
    if (some.length === 0) continue;
    const { kind, told } = await test(mutant, some);
    if (kind === 'passed') continue;
    if (kind === 'endless') endless += 1;
    tell(kind, told);
    return true;
  }
  tell('SURVIVED', `${suites.length} suites`);
  return false;
}

function inLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 80);
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`--${name} must be a whole number.`);
}
