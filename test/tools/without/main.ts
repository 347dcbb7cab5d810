import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * `npm run test:without`: deletes each extension from a copy of the tree, as the guide of extensions says, and then all
 * of them. The product must compile and name nothing of them, and the tests of the core must pass without all.
 */
const EXTENSIONS = ['backfill', 'review', 'take-back'];

/** The files whose lists have entries of extensions. */
const LISTS = ['shared/app.ts', 'infra/cli/run.ts', 'infra/local/month/story.ts'];

/** What is named after an extension in these folders belongs to it. */
const OWNED = ['shared/extensions', 'infra/cli/commands', 'infra/local/month'];

const CORE = [
  ...['credit-ledger', 'questions', 'rate-limiter', 'records', 'enrichment', 'ownership', 'identity'],
  ...['field-policy/mapping', 'vendor', 'store', 'privacy'],
];
const CORE_TESTS = [
  ...CORE.map((folder) => `test/unit/shared/${folder}/`),
  ...['main-job', 'people-win', 'nothing-lost'].map((name) => `test/features/${name}.test.ts`),
];

const ROOT = resolve(import.meta.dirname, '../../..');
/** Below the root, so that Node finds the packages, and ignored by all other tools. */
const FOLDER = join(ROOT, '.data');
const PRODUCT = ['functions', 'infra', 'shared'];

let passed = 0;
let failed = 0;
// For its owner only, as `npm start` makes it.
mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
for (const gone of [...EXTENSIONS.map((extension) => [extension]), EXTENSIONS]) {
  const copy = mkdtempSync(join(FOLDER, 'without-'));
  try {
    for (const name of [...PRODUCT, 'test', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
      cpSync(join(ROOT, name), join(copy, name), {
        recursive: true,
        filter: (source) => !/[/\\](?:node_modules|dist|coverage)$/.test(source),
      });
    const names = gone.flatMap((extension) => remove(extension, copy));
    const without = `without ${gone.join(', ')}`;
    tell(`${without}, the product compiles`, compile(copy));
    tell(`${without}, nothing names it`, namesLeft(copy, names));
    if (gone === EXTENSIONS) tell(`${without}, the tests of the core pass`, test(copy));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function tell(fact: string, fault: string): void {
  if (fault === '') passed += 1;
  else failed += 1;
  console.log(fault === '' ? `passed: ${fact}` : `FAILED: ${fact}\n${fault}`);
}

/** Deletes the extension's files and its entries. @returns its path, and the names that the lists had of it. */
function remove(extension: string, copy: string): readonly string[] {
  const isOwned = new RegExp(`^${extension}(?:[-.]|$)`);
  const owned = OWNED.flatMap((folder) =>
    readdirSync(join(copy, folder))
      .filter((name) => isOwned.test(name))
      .map((name) => join(copy, folder, name)),
  );
  for (const path of owned) rmSync(path, { recursive: true });
  const names = LISTS.flatMap((list) => {
    const path = join(copy, list);
    const { text, names } = withoutEntries(readFileSync(path, 'utf8'), extension);
    writeFileSync(path, text);
    return names;
  });
  if (owned.length === 0 || names.length === 0) throw new Error(`There is no extension ${extension}.`);
  return [`extensions/${extension}`, ...names];
}

/** Removes the imports from the extension, and each entry that is an imported name or a call of it. */
function withoutEntries(text: string, extension: string) {
  const names: string[] = [];
  const own = new RegExp(
    `^import \\{([^}]+)\\} from '(?:#shared/extensions/${extension}|\\./(?:commands/)?${extension}[-.].*)';\n`,
    'gm',
  );
  const rest = text.replace(own, (_, list: string) => {
    names.push(...list.split(',').flatMap((name) => name.trim() || []));
    return '';
  });
  const entry = new RegExp(`\\b(?:${names.join('|')})\\b(?:\\(.*\\))?,? ?`, 'g');
  return { text: names.length === 0 ? text : rest.replace(entry, ''), names };
}

function compile(copy: string): string {
  const path = join(copy, 'tsconfig.json');
  const config = JSON.parse(readFileSync(path, 'utf8'));
  const { tsBuildInfoFile: _, incremental: __, ...compilerOptions } = config.compilerOptions;
  writeFileSync(path, JSON.stringify({ ...config, compilerOptions, include: PRODUCT }));
  return run(copy, ['typescript7/bin/tsc']);
}

/** The lines of the product that have one of the names. */
function namesLeft(copy: string, names: readonly string[]): string {
  const left = new RegExp(`\\b(?:${names.join('|')})\\b`);
  return PRODUCT.flatMap((folder) =>
    readdirSync(join(copy, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => {
        const lines = readFileSync(join(copy, folder, name), 'utf8').split('\n');
        return lines.filter((line) => left.test(line)).map((line) => `${folder}/${name}: ${line.trim()}`);
      }),
  ).join('\n');
}

function test(copy: string): string {
  return run(copy, ['vitest/vitest.mjs', 'run', ...CORE_TESTS, '--reporter=dot']);
}

/** Runs a program of a package in the copy. @returns what it printed if it failed, and nothing if it did not. */
function run(copy: string, [program = '', ...flags]: readonly string[]): string {
  const path = join(ROOT, 'node_modules', program);
  const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...flags], {
    cwd: copy,
    encoding: 'utf8',
  });
  return status === 0 ? '' : `${stdout}${stderr}\n${program} ended with ${status}`;
}
