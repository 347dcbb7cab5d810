import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Mutant } from './sample.ts';

/** A copy of the tree for faults. */
export interface Workshop {
  /** Tests the copy with this fault alone. */
  test(mutant: Mutant | undefined, suites: readonly string[]): Promise<Tested>;
  close(): void;
}

export interface Tested {
  /** `endless`: the run was stopped. `broken`: no test failed, but not all of them ran. */
  readonly kind: 'passed' | 'failed' | 'endless' | 'broken';
  /** For a person: the number of tests, or the failed one. */
  readonly told: string;
}

const ROOT = resolve(import.meta.dirname, '../../..');
/** Below the root, so that Node finds the packages, and ignored by all other tools. */
const FOLDER = join(ROOT, '.data');
const LEFT_OUT = new Set(['.git', '.data', 'node_modules', 'cdk.out', 'dist', 'coverage']);
const LONGEST_MS = 90_000;
const LONGEST_SUITE_MS = 15_000;

export function openWorkshop(): Workshop {
  mkdirSync(FOLDER, { recursive: true });
  const copy = mkdtempSync(join(FOLDER, 'mutants-'));
  for (const name of ['functions', 'infra', 'shared', 'test', 'package.json', 'vitest.config.ts'])
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (source) => !LEFT_OUT.has(relative(ROOT, source).split(/[/\\]/).at(-1) ?? ''),
    });
  return {
    test: async (mutant, suites) => {
      if (mutant) writeFileSync(join(copy, mutant.file), mutant.text);
      try {
        return await runTests(copy, suites);
      } finally {
        if (mutant) cpSync(join(ROOT, mutant.file), join(copy, mutant.file));
      }
    },
    close: () => rmSync(copy, { recursive: true, force: true }),
  };
}

async function runTests(copy: string, suites: readonly string[]): Promise<Tested> {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', ...suites, '--bail=1', '--reporter=json', `--outputFile=${report}`];
  const withinMs = LONGEST_MS + suites.length * LONGEST_SUITE_MS;
  if (await isEndless(args, { cwd: copy, withinMs }))
    return { kind: 'endless', told: `no end within ${withinMs / 1_000} s` };
  return verdictOf(JSON.parse(readFileSync(report, 'utf8')));
}

async function isEndless(
  args: readonly string[],
  { cwd, withinMs }: { readonly cwd: string; readonly withinMs: number },
): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd, stdio: 'ignore', detached: true });
  let isStopped = false;
  // The whole group: a test that never comes back keeps its worker alive.
  // biome-ignore lint/plugin: a mutant may run for ever, and only real time ends it
  const timer = setTimeout(() => {
    isStopped = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, withinMs);
  await once(child, 'close');
  clearTimeout(timer);
  return isStopped;
}

interface Report {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

function verdictOf({ success, numPassedTests, testResults }: Report): Tested {
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === 'failed');
  if (failed) return { kind: 'failed', told: `by "${failed.fullName}"` };
  if (success && numPassedTests > 0) return { kind: 'passed', told: `${numPassedTests} tests` };
  return {
    kind: 'broken',
    told: testResults
      .map(({ message }) => message)
      .join(' ')
      .trim(),
  };
}
