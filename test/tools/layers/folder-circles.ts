/** An import of one source file by another, as paths from the root. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * Finds sub-folders of one folder of `shared` that import each other, directly or through files beside them. Imports of
 * types count too, because a reader has to read both folders.
 */
export function folderCircleFaults(imports: readonly Import[]): readonly string[] {
  const inside = imports.filter(({ from, to }) => folderOf(from) !== '' && folderOf(from) === folderOf(to));
  return [...Map.groupBy(inside, ({ from }) => folderOf(from))].flatMap(([folder, own]) => {
    const edges = own
      .map(({ from, to }) => ({ from: placeOf(from), to: placeOf(to), example: `${from} -> ${to}` }))
      .filter(({ from, to }) => from !== to);
    const subFolders = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].filter(isFolder).sort();
    const reached = new Map(subFolders.map((each) => [each, reachedFrom(each, edges)]));
    return subFolders.flatMap((a, index) =>
      subFolders
        .slice(index + 1)
        .filter((b) => reached.get(a)?.has(b) && reached.get(b)?.has(a))
        .map((b) => {
          const ways = [reached.get(a)?.get(b), reached.get(b)?.get(a)].map((way) => way?.join(', '));
          return `${folder}: ${a} and ${b} import each other: ${ways.join('; ')}. [no-folder-circle]`;
        }),
    );
  });
}

interface Edge extends Import {
  readonly example: string;
}

/** All files reachable from `start`, each with the shortest chain of imports. */
function reachedFrom(start: string, edges: readonly Edge[]): ReadonlyMap<string, readonly string[]> {
  const ways = new Map<string, readonly string[]>([[start, []]]);
  for (const [place, way] of ways) {
    for (const { from, to, example } of edges)
      if (from === place && !ways.has(to)) ways.set(to, [...way, example]);
  }
  return ways;
}

/** `shared/questions`; empty for a file outside `shared`. */
function folderOf(path: string): string {
  return /^shared\/(?:extensions\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? '';
}

/** The sub-folder of a file, such as `ask/`, or the path of a file outside a sub-folder. */
function placeOf(path: string): string {
  return /^shared\/(?:extensions\/)?[^/]+\/([^/]+\/)/.exec(path)?.[1] ?? path;
}

function isFolder(place: string): boolean {
  return place.endsWith('/');
}
