import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A folder of `shared`, and the folders that it imports. */
export interface Module {
  readonly name: string;
  readonly imports: readonly string[];
}

/** The folders of `shared`, each after all its imports. */
function modulesOf(root: string): readonly Module[] {
  const names = foldersIn(join(root, 'shared')).flatMap((name) =>
    name === 'extensions'
      ? foldersIn(join(root, 'shared', name)).map((extension) => `${name}/${extension}`)
      : [name],
  );
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

/** The picture of ARCHITECTURE.md: one line for each folder, with its direct imports. */
export function pictureOf(modules: readonly Module[]): string {
  const byName = new Map(modules.map((module) => [module.name, module]));
  const reach = (name: string): Set<string> =>
    new Set((byName.get(name)?.imports ?? []).flatMap((each) => [each, ...reach(each)]));
  const lines = modules.map(({ name, imports }) => {
    const direct = imports.filter(
      (each) => !imports.some((other) => other !== each && reach(other).has(each)),
    );
    return direct.length > 0 ? `${name.padEnd(24)} <- ${direct.join(', ')}` : name;
  });
  return ['folder                   <- imports', ...lines].join('\n');
}

export const ARCHITECTURE = 'ARCHITECTURE.md';

/** ARCHITECTURE.md with the current picture; `npm run reference` writes it. */
export function withPicture(text: string, root: string): string {
  const picture = /^folder +<- imports\n(?:[a-z-/]+.*\n)*/m;
  return text.replace(picture, () => `${pictureOf(modulesOf(root))}\n`);
}

function foldersIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

function moduleOf(root: string, name: string): Module {
  const texts = readdirSync(join(root, 'shared', name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const imports = texts.flatMap((text) =>
    [...text.matchAll(/from '#shared\/((?:extensions\/)?[a-z-]+)(?:\/adapters)?'/g)].map(
      ([, other = '']) => other,
    ),
  );
  return { name, imports: [...new Set(imports)].sort() };
}
