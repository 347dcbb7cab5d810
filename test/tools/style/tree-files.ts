import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the project. Its path starts at the root and has forward slashes. */
export interface TreeFile {
  readonly path: string;
  readonly text: string;
}

/** Folders that git ignores, and git's own. */
const LEFT_OUT = new Set(['.git', 'node_modules', '.data', 'cdk.out', 'dist', 'coverage']);
const BINARY = /\.(?:png|jpg|gif|ico|woff2?|zip|gz|tgz|log)$/;

/** Every text file of the project, including the lock file and the tool configuration, or those whose path fits. */
export function readTree(root: string, paths = /./, folder = ''): TreeFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !LEFT_OUT.has(name) && !BINARY.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return readTree(root, paths, path);
      const isWanted = entry.isFile() && paths.test(path);
      return isWanted ? [{ path, text: readFileSync(join(root, path), 'utf8') }] : [];
    });
}
