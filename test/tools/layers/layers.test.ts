import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkLayers } from './layers.ts';

const RULE_FILE = resolve(import.meta.dirname, '../../../.dependency-cruiser.mjs');
const DEPENDENCIES = [
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/client-sqs',
  '@hubspot/api-client',
  'tldts',
  'undici',
  'zod',
];
const DEV_DEPENDENCIES = ['@types/aws-lambda', 'aws-cdk-lib', 'fast-check'];

/** Files by path, each with what it imports (as types; the worst case, since a compiler would drop them). */
type Tree = Readonly<Record<string, readonly string[]>>;

/** A tree in which every layer has a file and every import is allowed. */
const GOOD_TREE: Tree = {
  'shared/kernel/index.ts': ['./clock.ts'],
  'shared/kernel/adapters.ts': ['./clock.system.ts'],
  'shared/kernel/clock.ts': [],
  'shared/kernel/clock.system.ts': ['./clock.ts', 'node:timers/promises'],
  'shared/crm/index.ts': ['./crm-record.ts'],
  'shared/crm/crm-record.ts': ['#shared/kernel', 'tldts'],
  'shared/crm/reader.hubspot.ts': ['./crm-record.ts', '#shared/hubspot/adapters'],
  'shared/records/index.ts': ['./store.ts', './table.ts', './store.dynamo.ts'],
  'shared/records/adapters.ts': ['./store.dynamo.ts'],
  'shared/records/store.ts': ['#shared/crm'],
  'shared/records/table.ts': [],
  'shared/records/read/list.ts': ['../write/save.ts'],
  'shared/records/read/page.ts': [],
  'shared/records/write/save.ts': [],
  'shared/records/write/undo.ts': [],
  'shared/records/store.memory.ts': ['./store.ts'],
  'shared/records/store.dynamo.ts': ['./store.ts', './table.ts', '@aws-sdk/client-dynamodb'],
  'shared/field-policy/policy.ts': ['zod', '#shared/vendor'],
  'shared/extensions/backfill/index.ts': ['./run.ts'],
  'shared/extensions/backfill/run.ts': ['#shared/records'],
  'shared/extensions/review/accept.ts': ['#shared/records'],
  'shared/app.ts': ['#shared/records/adapters', '#shared/vendor/adapters'],
  'shared/questions/question.ts': ['#shared/crm', '#shared/vendor'],
  'shared/http/index.ts': ['./retry.ts'],
  'shared/http/retry.ts': [],
  'shared/http/send.ts': ['#shared/kernel', 'undici'],
  'shared/vendor/index.ts': ['./pricing.ts', './types.ts'],
  'shared/vendor/adapters.ts': ['./client.ts'],
  'shared/vendor/pricing.ts': [],
  'shared/vendor/types.ts': ['./schemas.ts'],
  'shared/vendor/schemas.ts': ['zod'],
  'shared/vendor/client.ts': ['#shared/http', './types.ts'],
  'shared/hubspot/index.ts': ['./webhook-signature.ts'],
  'shared/hubspot/adapters.ts': ['./objects.ts'],
  'shared/hubspot/objects.ts': ['#shared/http', '@hubspot/api-client'],
  'shared/hubspot/webhook-signature.ts': ['node:crypto'],
  'functions/receive-webhook/env.ts': ['zod'],
  'functions/receive-webhook/handler.ts': ['#shared/hubspot'],
  'functions/receive-webhook/main.ts': ['./env.ts', './handler.ts', '@aws-sdk/client-sqs'],
  // Of a development dependency, what runs in a Lambda may import types.
  'functions/enrich-records/handler.ts': ['#shared/records', 'aws-lambda'],
  'functions/enrich-records/main.ts': ['./handler.ts', '#shared/app', '#shared/records/adapters'],
  'infra/app.ts': ['./aws/stack.ts'],
  'infra/aws/stack.ts': ['aws-cdk-lib', '#shared/records', '../../functions/receive-webhook/env.ts'],
  'infra/sandbox/hubspot/objects.ts': ['../../../shared/kernel/index.ts'],
  'infra/local/main.ts': ['../sandbox/hubspot/objects.ts', '../../functions/enrich-records/handler.ts'],
  'infra/doctor/checks.ts': ['#shared/app'],
  'infra/cli/ledger.ts': ['#shared/vendor/adapters', '../doctor/checks.ts'],
  'test/unit/records.test.ts': ['#inside/records/store.memory.ts'],
  'test/laws/simulation/oracle/judge.ts': ['../../../../infra/sandbox/hubspot/objects.ts'],
};

const orderRule = (name: string) => `order-${name}`;
/** The folders of shared but the last, as the rules have them. */
const ORDER = ((await extractOptions(RULE_FILE)).ruleSet?.forbidden ?? [])
  .map(({ name = '' }) => name)
  .filter((name) => name.startsWith('order-') && name !== 'order-known')
  .map((name) => name.slice('order-'.length));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'layers-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let treeCount = 0;

/** Writes the good tree with `changes` over it; returns its folder. */
function plant(changes: Tree): string {
  treeCount += 1;
  const root = join(folder, `tree-${treeCount}`);
  const versions = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '1.0.0']));
  const { imports } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../../package.json'), 'utf8'));
  const manifest = {
    imports,
    dependencies: versions(DEPENDENCIES),
    devDependencies: versions(DEV_DEPENDENCIES),
  };
  write(root, 'package.json', JSON.stringify(manifest));
  for (const name of [...DEPENDENCIES, ...DEV_DEPENDENCIES]) plantPackage(root, name);
  for (const [path, imports] of Object.entries({ ...GOOD_TREE, ...changes })) {
    write(root, path, imports.map((to, index) => `import type * as import${index} from '${to}';\n`).join(''));
  }
  return root;
}

async function faultsWith(changes: Tree): Promise<readonly string[]> {
  return (await checkLayers(plant(changes), RULE_FILE)).faults;
}

function plantPackage(root: string, name: string): void {
  const entry = name.startsWith('@types/') ? { types: 'index.d.ts' } : { main: 'index.js' };
  write(root, `node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', ...entry }));
  for (const file of Object.values(entry)) write(root, `node_modules/${name}/${file}`, 'export {};\n');
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** One forbidden import a line: the file, what it imports, the rule that must refuse it. */
const BAD_IMPORTS: readonly (readonly [from: string, to: string, rule: string])[] = [
  ['shared/crm/crm-record.ts', '#inside/kernel/time.ts', 'through-the-face'],
  ['infra/cli/ledger.ts', '#inside/vendor/schemas.ts', 'through-the-face-from-outside'],
  ['shared/records/store.ts', '../crm/index.ts', 'face-by-its-name'],
  ['infra/cli/spend.ts', '#inside/records/index.ts', 'inside-for-tests'],
  ['shared/records/page.ts', '#inside/records/table.ts', 'inside-by-path'],
  ['shared/records/index.ts', '#shared/crm', 'face-shows-its-own'],
  ['functions/enrich-records/handler.ts', '#shared/records/adapters', 'adapters-at-the-roots'],
  ['shared/kernel/clock.ts', '#shared/crm', 'kernel-stands-alone'],
  ['shared/kernel/time.ts', 'node:crypto', 'kernel-pure'],
  ['shared/crm/lane.ts', 'node:crypto', 'noun-pure'],
  ['shared/records/version.ts', '#shared/hubspot', 'crm-knows-hubspot'],
  ['shared/crm/place.ts', '@aws-sdk/client-dynamodb', 'noun-pure'],
  ['shared/crm/purpose.ts', '#shared/kernel/adapters', 'noun-pure'],
  ['shared/crm/words.ts', 'zod', 'zod-at-the-edge'],
  ['shared/records/store.dynamo.ts', '@aws-sdk/client-sqs', 'adapter-one-library'],
  ['shared/crm/reader.hubspot.ts', '#shared/vendor/adapters', 'spend-through-the-gateway'],
  ['shared/kernel/clock.system.ts', 'undici', 'system-adapter'],
  ['shared/http/send.ts', '#shared/crm', 'http-knows-no-noun'],
  ['shared/vendor/client.ts', '#shared/hubspot', 'vendor-alone'],
  ['shared/hubspot/objects.ts', '#shared/vendor', 'hubspot-publishable'],
  ['shared/hubspot/index.ts', './objects.ts', 'light-doors'],
  ['functions/enrich-records/handler.ts', '#shared/records/adapters', 'handler-pure'],
  ['functions/enrich-records/handler.ts', '#shared/hubspot', 'hubspot-for-its-requests'],
  ['functions/enrich-records/main.ts', '../receive-webhook/handler.ts', 'main-composes-its-own'],
  ['functions/enrich-records/main.ts', '#inside/records/store.memory.ts', 'no-memory-on-lambda'],
  ['shared/app.ts', '../infra/cli/ledger.ts', 'app-composes'],
  ['shared/crm/writer.hubspot.ts', '#shared/app', 'app-at-the-roots'],
  ['shared/crm/zone.ts', '#shared/records', 'order-crm'],
  ['shared/extensions/review/accept.ts', '#shared/extensions/backfill', 'extensions-apart'],
  ['shared/requests/decide.ts', '#shared/extensions/backfill', 'order-requests'],
  ['shared/nowhere/thing.ts', '#shared/kernel', 'order-known'],
  ['infra/aws/stack.ts', '../../functions/enrich-records/handler.ts', 'aws-describes'],
  ['infra/sandbox/hubspot/objects.ts', '../../../shared/hubspot/index.ts', 'sandbox-reads-for-itself'],
  ['infra/local/main.ts', '../cli/ledger.ts', 'local-and-cli-compose'],
  ['infra/doctor/checks.ts', '../cli/ledger.ts', 'local-and-cli-compose'],
  ['infra/local/loops.ts', '../../functions/enrich-records/main.ts', 'main-imported-by-nobody'],
  ['infra/cli/undo.ts', '../../test/unit/records.test.ts', 'test-imported-by-nobody'],
  ['test/laws/simulation/oracle/judge.ts', '#inside/records/store.ts', 'oracle-knows-nothing'],
  ['infra/local/start.ts', './nowhere.ts', 'resolvable'],
];

const treeFaults = new Map<number, Promise<readonly string[]>>();

/** Faults of a tree with this bad import and others: one to a file, so that a tree serves many files. */
function faultsBeside([from, to, rule]: (typeof BAD_IMPORTS)[number]): Promise<readonly string[]> {
  const nthOf = (row: (typeof BAD_IMPORTS)[number]) =>
    BAD_IMPORTS.filter((each) => each[0] === row[0]).findIndex(
      (each) => each[1] === row[1] && each[2] === row[2],
    );
  const nth = nthOf([from, to, rule]);
  const rows = BAD_IMPORTS.filter((row) => nthOf(row) === nth);
  const faults =
    treeFaults.get(nth) ??
    faultsWith(Object.fromEntries(rows.map((row) => [row[0], [...(GOOD_TREE[row[0]] ?? []), row[1]]])));
  treeFaults.set(nth, faults);
  return faults;
}

/** The faults that this rule has found. */
const foundBy = (rule: string, faults: readonly string[]) =>
  faults.filter((fault) => fault.endsWith(`[${rule}]`));

describe('layer rules', () => {
  it('find nothing in a tree that keeps them', async () => {
    expect(await faultsWith({})).toEqual([]);
  });

  it.each(BAD_IMPORTS)('refuse that %s imports %s', async (...bad) => {
    const [from, , rule] = bad;
    const faults = await faultsBeside(bad);
    expect(faults).toContainEqual(expect.stringMatching(new RegExp(`^${from} .*\\[${rule}\\]$`)));
  });

  it('refuse that a folder of shared imports from any folder behind it', async () => {
    const folders = [...ORDER, 'extensions'];
    const late = folders.map((folder) => [`shared/${folder}/late.ts`, []]);
    const early = ORDER.map((folder, index) => [
      `shared/${folder}/early.ts`,
      folders.slice(index + 1).map((behind) => `${'../'.repeat(folder.split('/').length)}${behind}/late.ts`),
    ]);
    const faults = await faultsWith(Object.fromEntries([...late, ...early]));
    const counts = ORDER.map(
      (each) => faults.filter((fault) => fault.endsWith(`[${orderRule(each)}]`)).length,
    );
    expect(counts).toEqual(ORDER.map((_, index) => ORDER.length - index));
  });

  it('refuse circles of files and of folders, more than types of what is not for a Lambda or an uploaded app, and files without a layer', async () => {
    const root = plant({
      'shared/records/circle.ts': ['./crm-record.ts'],
      'shared/records/crm-record.ts': ['./circle.ts'],
      'shared/records/write/undo.ts': ['../read/page.ts'],
      'shared/loose.ts': [],
      'infra/other/thing.ts': [],
    });
    write(root, 'functions/enrich-records/main.ts', "import 'fast-check';\n");
    write(root, 'shared/records/index.ts', "export * from './store.dynamo.ts';\n");
    write(root, 'infra/hubspot-app/check.ts', "import '../local/main.ts';\n");
    const { faults } = await checkLayers(root, RULE_FILE);
    const [folders = '', ...others] = foundBy('no-folder-circle', faults);
    expect(others).toEqual([]);
    for (const file of ['read/list.ts', 'read/page.ts', 'write/save.ts', 'write/undo.ts'])
      expect(folders).toContain(`shared/records/${file}`);
    expect(foundBy('no-circle', faults).join()).toContain('crm-record.ts');
    for (const rule of ['no-dev-dependency-on-lambda', 'face-without-adapters', 'hubspot-app-is-data'])
      expect(foundBy(rule, faults)).toHaveLength(1);
    for (const loose of [/^infra\/other/, /^shared\/loose/])
      expect(faults).toContainEqual(expect.stringMatching(loose));
  });
});

describe('the check itself', () => {
  it('is proved to bite for every rule that there is', async () => {
    const { ruleSet } = await extractOptions(RULE_FILE);
    const elsewhere = [
      'no-circle',
      'no-dev-dependency-on-lambda',
      'face-without-adapters',
      'hubspot-app-is-data',
      ...ORDER.map(orderRule),
    ];
    const proved = new Set([...BAD_IMPORTS.map(([, , rule]) => rule), ...elsewhere]);
    // Not a rule of the tool: the check itself holds it.
    proved.delete('inside-for-tests');
    expect(new Set(ruleSet?.forbidden?.map(({ name }) => name))).toEqual(proved);
  });

  /** The same tree seen by a tool that is set up wrongly. */
  async function faultsUnder(options: object): Promise<readonly string[]> {
    const root = plant({});
    write(root, 'rules.mjs', `export default { forbidden: [], options: ${JSON.stringify(options)} };`);
    return (await checkLayers(root, join(root, 'rules.mjs'))).faults;
  }

  it('fails when the tool read fewer files than there are', async () => {
    const faults = await faultsUnder({ exclude: '^shared/records/', tsPreCompilationDeps: true });
    expect(foundBy('not-read', faults).join()).toContain('shared/records/store.ts');
  });
});
