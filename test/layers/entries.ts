import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** A named function of the product that was called. */
export interface Entry {
  /** Path from the repository's root. */
  readonly file: string;
  readonly name: string;
  /** Start of its body, because two functions of a file may have the same name. */
  readonly offset: number;
}

const ROOT = resolve(import.meta.dirname, '../..');
const RECORDER = 'recordEntry';

/**
 * Makes modules of `functions` and `shared`, loaded from now on, report each call of a named function. An unnamed
 * function belongs to its enclosing function.
 */
export function reportEntries(onEntry: (entry: Entry) => void): void {
  const known: Entry[] = [];
  Reflect.set(globalThis, RECORDER, (index: number) => {
    const entry = known[index];
    if (entry) onEntry(entry);
  });
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      const file = url.startsWith('file:') ? fileURLToPath(url).slice(ROOT.length + 1) : '';
      if (!/^(?:functions|shared)\/.*\.ts$/.test(file) || !loaded.source) return loaded;
      const text = String(loaded.source instanceof Uint8Array ? Buffer.from(loaded.source) : loaded.source);
      return { ...loaded, source: marked(text, (name, offset) => known.push({ file, name, offset }) - 1) };
    },
  });
}

/** Returns the module's code, in which each named function first reports its number. */
function marked(text: string, add: (name: string, offset: number) => number): string {
  const source = ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true);
  const inserted: { readonly at: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    const name = ts.isFunctionLike(node) ? nameOf(node) : undefined;
    const body = ts.isFunctionLike(node) && 'body' in node ? node.body : undefined;
    if (name !== undefined && body) {
      const at = body.getStart(source);
      const call = `${RECORDER}(${add(name, at)})`;
      if (ts.isBlock(body)) inserted.push({ at: at + 1, text: `${call};` });
      else inserted.push({ at, text: `(${call}, ` }, { at: body.getEnd(), text: ')' });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  const inOrder = inserted.sort((a, b) => b.at - a.at);
  return inOrder.reduce((made, { at, text: more }) => made.slice(0, at) + more + made.slice(at), text);
}

function nameOf(node: ts.SignatureDeclaration): string | undefined {
  const { parent } = node;
  if (node.name) return node.name.getText();
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
    ? parent.name.getText()
    : undefined;
}
