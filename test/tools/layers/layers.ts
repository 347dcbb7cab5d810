import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { folderCircleFaults } from './folder-circles.ts';

/** Result of the check: a sentence for each fault, which ends with the name of its rule. */
export interface LayerReport {
  readonly faults: readonly string[];
  /** Source files of functions, infra and shared that were read. */
  readonly fileCount: number;
  /** Imports among all files read. */
  readonly importCount: number;
}

type Violation = ICruiseResult['summary']['violations'][number];

const SOURCE_FOLDERS = ['functions', 'infra', 'shared'];
const RULE_FILE = '.dependency-cruiser.mjs';
const NOWHERE_RULE = 'resolvable';

/** All places for source files. A file elsewhere has no layer, so no rule would apply to it. */
const PLACES = [
  /^functions\/[^/]+\/[^/]+\.ts$/,
  /^infra\/(?:app|policy|load-policy|rule-subscriptions|text-row|unanswered)\.ts$/,
  /^infra\/(?:aws|local|doctor|cli|sandbox|hubspot-app)\/.+\.ts$/,
  /^shared\/(?:app|[^/]+\/.+)\.ts$/,
];

/**
 * Checks every import below `root` against the rules of the rule file. A file that the tool did not read is a fault
 * too, because it silently skips unparsable files.
 */
export async function checkLayers(
  root: string,
  ruleFile: string = join(root, RULE_FILE),
): Promise<LayerReport> {
  const files = sourceFiles(root);
  const options = await extractOptions(ruleFile);
  const result = await cruiseTree(root, options);
  return {
    faults: [
      ...unreadFaults(root, files, result),
      ...files.filter((file) => importsInside(root, file)).map(insideFault),
      ...files.filter((file) => !PLACES.some((place) => place.test(file))).map(placeFault),
      ...folderCircleFaults(importsOf(result)),
      ...withoutEchoes(result.summary.violations).map((violation) => sentence(violation, options)),
    ],
    fileCount: files.length,
    importCount: result.modules.reduce((sum, module) => sum + module.dependencies.length, 0),
  };
}

/** Paths from `root`, with forward slashes, of all TypeScript files of the product. */
function sourceFiles(root: string): string[] {
  return SOURCE_FOLDERS.flatMap((folder) => below(root, folder))
    .filter((path) => path.endsWith('.ts'))
    .sort();
}

function below(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    );
}

async function cruiseTree(root: string, options: ICruiseOptions): Promise<ICruiseResult> {
  const { output } = await cruise([...SOURCE_FOLDERS, 'test'], { ...options, baseDir: root });
  if (typeof output === 'string')
    throw new Error('dependency-cruiser answered with text instead of a result.');
  return output;
}

function importsOf({ modules }: ICruiseResult) {
  return modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  );
}

/** `#inside` of package.json bypasses the faces; the tool sees only the resolved file. */
function importsInside(root: string, file: string): boolean {
  return /(?:from|import|import\() ?'#inside\//.test(readFileSync(join(root, file), 'utf8'));
}

function insideFault(file: string): string {
  return `${file} imports #inside, which is for tests only. Import #shared/<folder>; add the name to its index.ts. [inside-for-tests]`;
}

function unreadFaults(root: string, files: readonly string[], result: ICruiseResult): string[] {
  if (files.length === 0)
    return [`There is no source file under ${SOURCE_FOLDERS.join(', ')}: nothing was checked. [no-files]`];
  const read = new Map(result.modules.map((module) => [module.source, module.dependencies.length]));
  return files.flatMap((file) => {
    const importCount = read.get(file);
    if (importCount === undefined) return [`${file} was not read by dependency-cruiser. [not-read]`];
    const blind = importCount === 0 && hasImport(readFileSync(join(root, file), 'utf8'));
    return blind ? [`${file} has imports, but dependency-cruiser saw none of them. [no-imports-read]`] : [];
  });
}

function hasImport(text: string): boolean {
  return /^(?:import|export) [^;'"]*from ['"]/m.test(text);
}

function placeFault(file: string): string {
  return `${file} is in no layer. Move it, or add its place to PLACES in test/tools/layers/layers.ts and its rules to ${RULE_FILE}. [no-layer]`;
}

/** An unresolved import breaks most rules at once; one sentence is enough. */
function withoutEchoes(violations: readonly Violation[]): Violation[] {
  const edge = ({ from, to }: Violation) => `${from} ${to}`;
  const nowhere = new Set(violations.filter(({ rule }) => rule.name === NOWHERE_RULE).map(edge));
  return violations.filter(
    (violation) => violation.rule.name === NOWHERE_RULE || !nowhere.has(edge(violation)),
  );
}

function sentence({ from, to, cycle, via, rule }: Violation, options: ICruiseOptions): string {
  const reason = options.ruleSet?.forbidden?.find(({ name }) => name === rule.name)?.comment;
  return `${relation(from, to, cycle ?? [], via ?? [])}. ${reason ?? ''} [${rule.name}]`;
}

type Step = { readonly name: string };

function relation(from: string, to: string, cycle: readonly Step[], via: readonly Step[]): string {
  const way = (steps: readonly Step[]) => steps.map(({ name }) => name).join(' -> ');
  if (cycle.length > 0) return `${from} imports itself by way of ${way(cycle)}`;
  if (via.length > 1) return `${from} reaches ${to} by way of ${way(via)}`;
  return `${from} imports ${to}`;
}
