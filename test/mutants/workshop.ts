import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type Mutant, mutated } from './mutant.ts';

/** A copy of the tree for faults. */
export interface Workshop {
  /** Breaks one line. @returns whether the replaced text occurs exactly once; otherwise nothing is changed. */
  put(mutant: Mutant): boolean;
  restore(mutant: Mutant): void;
  test(suites: readonly string[]): Promise<Tested>;
  /** Runs the simulation until a run breaks an invariant. */
  simulate(seeds: readonly number[]): Promise<Tested>;
  close(): void;
}

export interface Tested {
  /** `endless`: the run was stopped. `broken`: no test failed, but not all of them ran. */
  readonly kind: 'passed' | 'failed' | 'endless' | 'broken';
  /** For a person: the number of tests, or the failed one. */
  readonly told: string;
}

const ROOT = resolve(import.meta.dirname, '../..');
/** Below the root, so that Node finds the packages, and ignored by all other tools. */
const FOLDER = join(ROOT, '.data');
const LEFT_OUT = new Set(['.git', '.data', 'node_modules', 'cdk.out', 'dist', 'coverage']);
const LONGEST_MS = 90_000;
const LONGEST_SUITE_MS = 15_000;
/** Output of one run. Each run reports its end. */
const LONGEST_RUN_MS = 60_000;

export function openWorkshop(): Workshop {
  mkdirSync(FOLDER, { recursive: true });
  const copy = mkdtempSync(join(FOLDER, 'mutants-'));
  for (const name of ['functions', 'infra', 'shared', 'test', 'package.json', 'vitest.config.ts'])
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (source) => !LEFT_OUT.has(relative(ROOT, source).split(/[/\\]/).at(-1) ?? ''),
    });
  const whole = (file: string) => readFileSync(join(ROOT, file), 'utf8');
  return {
    put: (mutant) => {
      const text = mutated(whole(mutant.file), mutant);
      if (text !== undefined) writeFileSync(join(copy, mutant.file), text);
      return text !== undefined;
    },
    restore: ({ file }) => writeFileSync(join(copy, file), whole(file)),
    test: (suites) => runTests(copy, suites),
    simulate: (seeds) => runSimulation(copy, seeds),
    close: () => rmSync(copy, { recursive: true, force: true }),
  };
}

async function runTests(copy: string, suites: readonly string[]): Promise<Tested> {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', ...suites, '--bail=1', '--reporter=json', `--outputFile=${report}`];
  const withinMs = LONGEST_MS + suites.length * LONGEST_SUITE_MS;
  const { isEndless } = await runToEnd(args, { cwd: copy, withinMs });
  if (isEndless) return { kind: 'endless', told: `no end within ${withinMs / 1_000} s` };
  return verdictOf(JSON.parse(readFileSync(report, 'utf8')), suites);
}

/** A run that breaks an invariant, or fails, has detected the mutant. */
async function runSimulation(copy: string, seeds: readonly number[]): Promise<Tested> {
  if (seeds.length === 0) return { kind: 'passed', told: 'no run comes by it' };
  const args = ['test/simulation/main.ts', '--seeds', seeds.join(','), '--until-broken'];
  const { isEndless, code, out } = await runToEnd(args, { cwd: copy, withinMs: LONGEST_RUN_MS });
  if (isEndless) return { kind: 'endless', told: `a run without an end within ${LONGEST_RUN_MS / 1_000} s` };
  const told = /BROKEN.*|\w*Error: .*/.exec(out)?.[0] ?? `${seeds.length} runs`;
  return { kind: code === 0 ? 'passed' : 'failed', told };
}

/** @param withinMs longest time without output. */
async function runToEnd(args: readonly string[], { cwd, withinMs }: { cwd: string; withinMs: number }) {
  // Includes all repetitions, and tests that a quick run leaves out.
  const env = { ...process.env, SCENARIOS: 'all' };
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let [out, isEndless] = ['', false];
  // The whole group: a test that never comes back keeps its worker alive.
  // biome-ignore lint/plugin: a mutant may run for ever, and only real time ends it
  const timer = setTimeout(() => {
    isEndless = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, withinMs);
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      out += chunk;
      timer.refresh();
    });
  const [code] = await once(child, 'close');
  clearTimeout(timer);
  return { isEndless, code, out };
}

interface Report {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Only a failed test has detected the mutant. A file that cannot be loaded would seem to detect any. */
function verdictOf({ success, numPassedTests, testResults }: Report, suites: readonly string[]): Tested {
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed'),
  );
  if (failed[0]) return { kind: 'failed', told: `by "${failed[0].fullName}"` };
  if (success && testResults.length === suites.length)
    return { kind: 'passed', told: `${numPassedTests} tests of ${suites.join(', ')}` };
  const told = testResults.map(({ message }) => message).join(' ');
  return { kind: 'broken', told: `not every test file ran: ${told.trim() || suites.join(', ')}` };
}
