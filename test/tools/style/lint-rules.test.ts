import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../..');
const lines = (count: number) => Array.from({ length: count }, () => 'f();');

/** Every line of these is a fault. */
const AMBIENT = [
  'Date.now();',
  "Date['now']();",
  'const { now } = Date;',
  'new Date();',
  'Date();',
  'Math.random();',
  'performance.now();',
  'crypto.randomUUID();',
  'AbortSignal.timeout(5);',
  "import { randomUUID as id } from 'node:crypto';",
  "import { setTimeout as s } from 'node:timers/promises';",
  "await import('node:timers');",
  "import { env } from 'node:process';",
  'globalThis.fetch();',
  "process['env'];",
  'setTimeout(f, 1);',
  'setInterval(f, 1);',
  'const send = { fetch };',
];

const NAMES = [
  'class LeaseManager {}',
  'const dateUtils: string[] = [];',
  'interface IStore {}',
  'async function makeHelper(a: string): Promise<string> {}',
];

const ZOD = ["import { z } from 'zod';", "import z from 'zod';"];

const MARKS = [
  'it.skip("a", f);',
  'describe.only("a", f);',
  'test.todo("a");',
  'it.fails("a", f);',
  'it.concurrent.only("a", f);',
  'xit("a", f);',
  'describe.skip.each([1])("a", f);',
  'it("a", { skip: true }, f);',
  'it("a", (ctx) => ctx.skip());',
];

const WAITS = [
  'setTimeout(f, 20);',
  'const timer = setInterval(f, 20);',
  'await new Promise((resolve) => setTimeout(resolve, 20));',
  'await expect.poll(read, { timeout: 5 }).toBe(1);',
  'await vi.waitFor(read);',
  'await vi.waitUntil(read);',
  "import { setTimeout as sleep } from 'node:timers/promises';",
];

/** No line of these is a fault, though each comes close. */
const ALLOWED = [
  'new Date(0);',
  'Date.parse(t);',
  'clock.now();',
  "'Date.now()';",
  '// Date.now()',
  "import { createHmac } from 'node:crypto';",
  "import type * as z from 'zod';",
  'const f = ({ fetch }: D) => fetch();',
  'interface A { process(): void; setTimeout: number }',
  'a.process.env;',
  'interface IO {}',
  'const managed = 1;',
  "import type { IFunction } from 'aws-cdk-lib';",
];

type Sample = readonly [path: string, text: readonly string[], faults: 'every line' | 'first line' | 'none'];

const SAMPLES: readonly Sample[] = [
  ['shared/records/ambient.ts', AMBIENT, 'every line'],
  ['functions/reconcile/handler.ts', AMBIENT, 'every line'],
  ['shared/records/store.dynamo.ts', AMBIENT, 'every line'],
  ['shared/kernel/ports.system.ts', AMBIENT, 'none'],
  ['functions/reconcile/main.ts', AMBIENT, 'none'],
  ['infra/local/main.ts', AMBIENT, 'none'],
  ['shared/records/names.ts', NAMES, 'every line'],
  ['shared/records/schemas.ts', ZOD, 'every line'],
  ['infra/aws/schemas.ts', ZOD, 'every line'],
  ['test/unit/marks.test.ts', MARKS, 'every line'],
  ['shared/records/marks.ts', MARKS, 'none'],
  ['test/unit/waits.test.ts', WAITS, 'every line'],
  ['test/harness/waits.ts', WAITS, 'every line'],
  // Stories of real processes.
  ['test/system/stories/waits.test.ts', WAITS, 'none'],
  ['test/unit/each.test.ts', ['it.each([1])("a", f); page.skip(2); it("a", { timeout: 5 }, f);'], 'none'],
  ['shared/records/allowed.ts', ALLOWED, 'none'],
  ['shared/records/long.ts', lines(801), 'first line'],
  ['shared/records/full.ts', lines(800), 'none'],
];

/** The house's own rules beside the recommended ones. */
const OURS =
  /title=(?:plugin|lint\/style\/noRestricted\w+|lint\/\w+\/noExcessiveLines\w+),file=([^,]+),line=(\d+)/g;

describe('the rules in biome.json', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lint-rules-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  for (const file of ['biome.json', 'test/tools/style'])
    cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  for (const [path, text] of SAMPLES) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${text.join('\n')}\n`);
  }
  const biome = join(ROOT, 'node_modules/.bin/biome');
  const words = ['lint', '--reporter=github', '--max-diagnostics=none', '.'];
  const { stdout } = spawnSync(biome, words, { cwd: folder, encoding: 'utf8' });
  const found = [...stdout.matchAll(OURS)].map(([, path = '', line]) => ({ path, line: Number(line) }));

  it.each(SAMPLES)('find in %s what they have to find', (path, text, faults) => {
    const guilty = found.filter((each) => each.path.endsWith(path)).map(({ line }) => line);
    const all = text.map((_, index) => index + 1);
    const expected = { 'every line': all, 'first line': [1], none: [] }[faults];
    expect([...new Set(guilty)].sort((a, b) => a - b)).toEqual(expected);
  });
});
