import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noAmbient } from './ambient.ts';
import { kebabCase, speakingDeclarations, speakingPaths } from './names.ts';
import { fileLength, functionLength } from './sizes.ts';
import type { StyleRule } from './syntax.ts';
import { everyTestRuns } from './test-marks.ts';
import { readTree } from './tree-files.ts';
import { noUnwantedWords } from './words.ts';
import { zodAtTheEdge } from './zod-imports.ts';

type Sample = readonly [path: string, text: string];

interface HouseRule {
  readonly name: string;
  readonly check: StyleRule;
  /** Files that the rule is for. */
  readonly of: RegExp;
  /** Each must be found; a rule that finds nothing is no rule. */
  readonly bad: readonly Sample[];
  /** Each comes close and must be left alone. */
  readonly good: readonly Sample[];
}

const CODE = /\.(?:ts|mjs|cjs|js)$/;
const EVERYTHING = /./;
const lines = (count: number) => 'f();\n'.repeat(count);
const functionOf = (lineCount: number) => `export function f() {\n${lines(lineCount - 2)}}\n`;
const PURE = 'shared/records/plan.ts';
const inPure = (...texts: readonly string[]): Sample[] => texts.map((text) => [PURE, text]);

const RULES: readonly HouseRule[] = [
  {
    name: 'files have at most 250 lines, those of test 400',
    check: fileLength,
    // The layer rules are one table: it grows by a row where the tree grows by a layer.
    of: /^(?!\.dependency-cruiser).*\.(?:ts|mjs|cjs|js)$/,
    bad: [
      [PURE, lines(251)],
      ['test/unit/plan.test.ts', lines(401)],
    ],
    good: [
      [PURE, lines(250)],
      ['test/unit/plan.test.ts', lines(400)],
    ],
  },
  {
    name: 'functions have at most 60 lines',
    check: functionLength,
    of: CODE,
    bad: [
      ...inPure(functionOf(61), `const f = () => {\n${lines(60)}};`, `class A {\n m() {\n${lines(60)}}\n}`),
      ['test/a.test.ts', `it('x', () => {\n${lines(60)}});`],
    ],
    good: [
      ...inPure(functionOf(60)),
      ['test/a.test.ts', `describe('x', () => {\n${"it('y', () => {\n});\n".repeat(40)}});`],
    ],
  },
  {
    name: 'time, randomness, ids, timers and the environment are arguments',
    check: noAmbient,
    of: CODE,
    bad: [
      ...inPure(
        'Date.now();',
        "Date['now']();",
        'const { now } = Date;',
        'const now = Date.now;',
        'new Date();',
        'Date();',
      ),
      ...inPure('Math.random();', 'performance.now();', 'crypto.randomUUID();', 'AbortSignal.timeout(5);'),
      ...inPure(
        "import { randomUUID as id } from 'node:crypto';",
        "import { setTimeout as s } from 'node:timers/promises';",
      ),
      ...inPure("await import('node:timers');", "import { env } from 'node:process';", 'globalThis.fetch();'),
      ...inPure(
        'process.env.A;',
        "process['env'];",
        'const { env } = process;',
        'setTimeout(f, 1);',
        'setInterval(f, 1);',
      ),
      ...inPure('fetch(url);', 'const send = { fetch };', 'function g(fetch: F) { fetch(); }\nfetch();'),
      ['functions/reconcile/handler.ts', 'Date.now();'],
      ['shared/records/store.dynamo.ts', 'Date.now();'],
    ],
    good: [
      ...inPure(
        'new Date(0);',
        'Date.parse(t);',
        'clock.now();',
        'deps.fetch();',
        'type F = typeof fetch;',
        "'Date.now()';",
      ),
      ...inPure(
        "import { createHmac } from 'node:crypto';",
        "import { fetch } from 'undici';\nfetch();",
        '// Date.now()',
      ),
      ...inPure(
        'const f = ({ fetch }: D) => fetch();',
        'interface A { process(): void; setTimeout: number }',
        'a.process.env;',
      ),
      ['shared/kernel/clock.system.ts', 'Date.now();'],
      ['functions/reconcile/main.ts', 'process.env;'],
      ['infra/local/main.ts', 'process.env; Date.now();'],
    ],
  },
  {
    name: "zod is imported at the edge only, as import * as z from 'zod'",
    check: zodAtTheEdge,
    of: CODE,
    bad: [
      [PURE, "import * as z from 'zod';"],
      [PURE, "import type * as z from 'zod';"],
      ['shared/records/schemas.ts', "import { z } from 'zod';"],
      ['shared/records/schemas.ts', "import z from 'zod';"],
      ['functions/reconcile/env.ts', "import * as zod from 'zod';"],
      ['shared/field-policy/policy.ts', "import * as z from 'zod/mini';"],
    ],
    good: [
      ['shared/records/schemas.ts', "import * as z from 'zod';"],
      ['shared/field-policy/policy.ts', "import * as z from 'zod';"],
      ['functions/reconcile/env.ts', "import type * as z from 'zod';"],
    ],
  },
  {
    name: 'files and folders are in kebab case',
    check: kebabCase,
    of: EVERYTHING,
    bad: [
      ['shared/workQueue/port.ts', ''],
      ['shared/work-queue/Port.ts', ''],
      ['shared/work_queue/port.ts', ''],
    ],
    good: [
      ['shared/work-queue/queue.sqs.ts', ''],
      ['infra/RUNBOOK.md', ''],
      ['.ci/run', ''],
    ],
  },
  {
    name: 'files and folders are named after a noun',
    check: speakingPaths,
    of: EVERYTHING,
    bad: [
      ['shared/utils/dates.ts', ''],
      ['test/builders/test-helpers.ts', ''],
      ['shared/records/record-manager.ts', ''],
    ],
    good: [['shared/records/managed-fields.ts', '']],
  },
  {
    name: 'declarations are named after a noun or verb',
    check: speakingDeclarations,
    of: CODE,
    bad: inPure(
      'class LeaseManager {}',
      'const dateUtils = {};',
      'interface IStore {}',
      'function makeHelper() {}',
    ),
    good: inPure('interface Item {}', 'interface IO {}', 'const managed = 1;', 'type Identity = string;'),
  },
  {
    name: 'every test runs',
    check: everyTestRuns,
    of: CODE,
    bad: [
      'it.skip("a", f);',
      'describe.only("a", f);',
      'test.todo("a");',
      'it.concurrent.only("a", f);',
      'xit("a", f);',
    ]
      .concat(
        'describe.skip.each([1])("a", f);',
        'it("a", { skip: true }, f);',
        'it("a", (ctx) => ctx.skip());',
      )
      .map((text) => ['test/unit/a.test.ts', text]),
    good: [
      ['test/unit/a.test.ts', 'it.each([1])("a", f); page.skip(2); it("a", { timeout: 5 }, f);'],
      ['shared/records/page.ts', 'test.skip();'],
    ],
  },
  {
    name: 'nothing is postponed, and nothing is true on one machine only',
    check: noUnwantedWords,
    of: EVERYTHING,
    bad: [
      [PURE, `// ${['TO', 'DO'].join('')}: later`],
      [PURE, `// ${['FIX', 'ME'].join('')}`],
      ['package-lock.json', `"resolved": "${['https:', '', 'registry.example.com', 'zod.tgz'].join('/')}"`],
      ['.npmrc', ['registry', 'https://example.com'].join('=')],
      ['README.md', `cd ${['', 'home', 'someone', 'project'].join('/')}`],
      ['.ci/run', ['http:', '', '10.0.0.1:4873'].join('/')],
    ],
    good: [
      [
        'README.md',
        'See https://developers.hubspot.com/docs and ./shared/work-queue/queue.sqs.ts; todo lists are fine.',
      ],
      [PURE, "import { a } from '../work-queue/port.ts';"],
    ],
  },
];

const files = readTree(resolve(import.meta.dirname, '../..'));

describe('house style', () => {
  it('reads the whole tree', () => {
    const paths = files.map(({ path }) => path);
    expect(paths).toContain('package.json');
    expect(paths).toContain('shared/kernel/clock.ts');
    expect(paths).toContain('test/style/house-style.test.ts');
    expect(paths.some((path) => path.includes('node_modules'))).toBe(false);
  });

  it.each(RULES)('$name', ({ check, of }) => {
    const faults = files.filter(({ path }) => of.test(path)).flatMap(({ path, text }) => check(path, text));
    expect(faults).toEqual([]);
  });
});

describe.each(RULES)('the rule "$name"', ({ check, bad, good }) => {
  it.each(bad)('finds the fault in %s: %j', (path, text) => {
    expect(check(path, text)).not.toEqual([]);
  });

  it.each(good)('finds no fault in %s: %j', (path, text) => {
    expect(check(path, text)).toEqual([]);
  });
});
