import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder of `shared`: the names in its two faces, and its imported folders. */
export interface Module {
  readonly name: string;
  readonly indexNames: number;
  readonly adapterNames: number;
  readonly imports: readonly string[];
}

/** Most names in a face. */
const MOST_NAMES = 30;
/** Folders above the limit. A number here may fall, but never rise. */
const MOST_NAMES_OF: Readonly<Record<string, number>> = {
  'credit-ledger': 41,
  // Askers are read, named and summed wherever purposes are. The ledger and the pages name purposes in the same way.
  crm: 37,
  // The sweep and two commands start removals. Commands and the home page share decisions. They refuse a start in the same
  // words, and the home page names the time from which a doubt can be decided.
  enrichment: 95,
  // Statuses with their labels are HubSpot's options, and every surface shows them.
  'field-policy': 60,
  // Countries are evidence, and the policy's conversions need their table. A rule compares host names that cannot be
  // registered, such as ac.uk.
  // A person who decides about a contradicting answer sees whom it is about.
  identity: 33,
  // One function bounds concurrency for all callers. The spend page and the stand-in share the escaped HTML.
  kernel: 62,
  // An answer's disclosure record is read when a person asks for their data.
  // A quote says whether its question could be sent now.
  questions: 84,
  // One catalogue of outcomes, waits and stops serves all surfaces. A privacy deletion ends an open run as a merge
  // does. Retention, recall and the write step check for a running removal and its scope. Messages and runs choose the
  // leading reason in the same way. All surfaces name the end of a wait, a person's stop, and
  // the lookup that follows the decision of a doubt in the same way.
  records: 113,
  // Commands link to records as the page does, and compare the balance in the same words. The page and the widget
  // refuse a filter in the same words. Every program that serves the page composes its sources in one function. The page
  // and the command line say in the same words where sums do not name an asker.
  spend: 59,
  // A request about the installation names no record.
  'work-queue': 32,
};

/** The folders of `shared`, each after all its imports. */
export function modulesOf(root: string): readonly Module[] {
  const names = readdirSync(join(root, 'shared'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const waiting = new Map(names.map((name) => [name, moduleOf(root, name)]));
  const ordered: Module[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(({ imports }) => !imports.some((each) => waiting.has(each)));
    if (ready.length === 0) throw new Error(`${[...waiting.keys()].join(', ')} import each other.`);
    for (const module of ready) waiting.delete(module.name);
    ordered.push(...ready.sort((a, b) => a.name.localeCompare(b.name)));
  }
  return ordered;
}

/** A sentence for each face above its limit, or below its number here. */
export function faceFaults(modules: readonly Module[], most = MOST_NAMES_OF): readonly string[] {
  return modules.flatMap(({ name, indexNames, adapterNames }) => {
    const limit = most[name] ?? MOST_NAMES;
    const shown = Math.max(indexNames, adapterNames);
    if (shown > limit)
      return [
        `shared/${name} shows ${shown} names in a face; ${limit} at most. Remove one that no folder needs, or raise its number in test/layers/faces.ts and say why. [face-size]`,
      ];
    if (name in most && shown < limit)
      return [
        `shared/${name} shows ${shown} names: write ${shown} instead of ${limit} in test/layers/faces.ts. [face-size]`,
      ];
    return [];
  });
}

/** The picture of ARCHITECTURE.md: one line for each folder, with its direct imports. */
export function pictureOf(modules: readonly Module[]): string {
  const byName = new Map(modules.map((module) => [module.name, module]));
  const reach = (name: string): Set<string> =>
    new Set((byName.get(name)?.imports ?? []).flatMap((each) => [each, ...reach(each)]));
  const lines = modules.map(({ name, indexNames, adapterNames, imports }) => {
    const direct = imports.filter(
      (each) => !imports.some((other) => other !== each && reach(other).has(each)),
    );
    const faces = `${String(indexNames).padStart(3)} + ${String(adapterNames).padStart(2)}`;
    return `${name.padEnd(16)}${faces}${direct.length > 0 ? `   <- ${direct.join(', ')}` : ''}`;
  });
  return ['folder      index + adapters   <- imports', ...lines].join('\n');
}

export const ARCHITECTURE = 'ARCHITECTURE.md';

/** ARCHITECTURE.md with the current picture; `npm run reference` writes it. */
export function withPicture(text: string, root: string): string {
  const picture = /^folder +index \+ adapters.*\n(?:[a-z-]+ +\d.*\n)*/m;
  return text.replace(picture, () => `${pictureOf(modulesOf(root))}\n`);
}

function moduleOf(root: string, name: string): Module {
  const folder = join(root, 'shared', name);
  const texts = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const imports = texts.flatMap((text) =>
    [...text.matchAll(/from '#shared\/([a-z-]+)(?:\/adapters)?'/g)].map(([, other = '']) => other),
  );
  return {
    name,
    indexNames: namesIn(join(folder, 'index.ts')),
    adapterNames: namesIn(join(folder, 'adapters.ts')),
    imports: [...new Set(imports)].sort(),
  };
}

function namesIn(file: string): number {
  if (!existsSync(file)) return 0;
  const lists = readFileSync(file, 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm);
  return [...lists].flatMap(([, list = '']) => list.split(',').filter((name) => name.trim() !== '')).length;
}
