import ts from 'typescript';
import { importedModule, parse, placeOf, type StyleRule, walk } from './syntax.ts';

const EDGE_FILE = /(?:^|\/)(?:schemas|policy|env)\.ts$/;

/** zod stands at the edge only, and always as the one import that a bundler can shake. */
export const zodAtTheEdge: StyleRule = (path, text) => {
  const faults: string[] = [];
  walk(parse(path, text), (node) => {
    const module = importedModule(node);
    if (module !== 'zod' && !module?.startsWith('zod/')) return;
    if (!EDGE_FILE.test(path))
      faults.push(`${placeOf(node)} imports zod outside schemas.ts, policy.ts and env.ts.`);
    if (module !== 'zod' || !isWholeAsZ(node))
      faults.push(`${placeOf(node)} must say: import * as z from 'zod'.`);
  });
  return faults;
};

function isWholeAsZ(node: ts.Node): boolean {
  if (!ts.isImportDeclaration(node) || node.importClause?.name) return false;
  const bindings = node.importClause?.namedBindings;
  return bindings !== undefined && ts.isNamespaceImport(bindings) && bindings.name.text === 'z';
}
