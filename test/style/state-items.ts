import { join } from 'node:path';
import ts from 'typescript';

/** A stored item with states, and the files that build its states. */
export interface StateItem {
  readonly type: string;
  /** The file that exports the type. */
  readonly from: string;
  readonly transitions: readonly string[];
  /** Other files that build one, each with its reason. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

interface Tree {
  readonly root: string;
  /** Additional source texts by path, for tests. */
  readonly added: Readonly<Record<string, string>>;
}

/**
 * Finds places that build an item with states outside its transitions, one sentence each. The built type counts,
 * whatever its name: an object literal, with or without a spread, or the rest of a destructured item.
 */
export function builtElsewhere(items: readonly StateItem[], { root, added }: Tree): string[] {
  const program = programOf(root, added);
  const checker = program.getTypeChecker();
  const types = items.map((item) => {
    const of = declaredType(program, join(root, item.from), item.type);
    return { ...item, home: item.transitions[0] ?? item.from, of, needs: requiredNames(checker, of) };
  });
  return program.getSourceFiles().flatMap((file) => {
    const path = file.fileName.slice(root.length + 1);
    const foreign = types.filter(
      ({ transitions, elsewhere = {} }) => ![...transitions, ...Object.keys(elsewhere)].includes(path),
    );
    return /^(?:shared|functions|infra)\//.test(path) ? builtIn(file, path, { checker, foreign }) : [];
  });
}

interface Foreign {
  readonly checker: ts.TypeChecker;
  readonly foreign: readonly ForeignType[];
}

interface ForeignType {
  readonly type: string;
  /** The first file of its transitions, where a new function belongs. */
  readonly home: string;
  readonly of: ts.Type;
  /** Properties that each of the type's values has. */
  readonly needs: readonly string[];
}

/** For a union, the properties that all its members have. */
function requiredNames(checker: ts.TypeChecker, of: ts.Type): string[] {
  const isRequired = (property: ts.Symbol) => (property.flags & ts.SymbolFlags.Optional) === 0;
  return checker
    .getPropertiesOfType(of)
    .filter(isRequired)
    .map(({ name }) => name);
}

/** Properties of a literal from its text alone; `undefined` if a spread or a computed name may add more. */
function writtenNames(node: ts.Node): ReadonlySet<string> | undefined {
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const names = new Set<string>();
  for (const { name } of node.properties) {
    if (!name || ts.isComputedPropertyName(name)) return undefined;
    names.add(name.text);
  }
  return names;
}

function builtIn(file: ts.SourceFile, path: string, { checker, foreign }: Foreign): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isRest = ts.isBindingElement(node) && node.dotDotDotToken && ts.isObjectBindingPattern(node.parent);
    const written = writtenNames(node);
    // Skips most literals by their text, because asking for their types takes most of the time.
    const possible = foreign.filter(({ needs }) => !written || needs.every((name) => written.has(name)));
    if ((isRest || ts.isObjectLiteralExpression(node)) && possible.length > 0) {
      const built = checker.getTypeAtLocation(node);
      // Skips values of type `any`, such as a spread of `Object.fromEntries`, which would match every item.
      const isItself = (built.flags & (ts.TypeFlags.Never | ts.TypeFlags.Any)) === 0;
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      for (const { type, home, of } of possible)
        if (isItself && checker.isTypeAssignableTo(built, of))
          found.push(`${path}:${line} builds a ${type}: add a function to ${home} and call it.`);
    }
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

/** All our code that can reach a store; the stack and the stand-ins cannot. */
function programOf(root: string, added: Tree['added']): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const include = ['functions', 'shared', 'infra/cli', 'infra/local'];
  const { fileNames, options } = ts.parseJsonConfigFileContent({ ...config, include }, ts.sys, root);
  const host = ts.createCompilerHost(options, true);
  const extra = new Map(Object.entries(added).map(([path, text]) => [join(root, path), text]));
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => extra.has(name) || fileExists(name);
  host.getSourceFile = (name, language, ...rest) => {
    const text = extra.get(name);
    return text === undefined
      ? getSourceFile(name, language, ...rest)
      : ts.createSourceFile(name, text, language, true);
  };
  return ts.createProgram({ rootNames: [...fileNames, ...extra.keys()], options, host });
}

function declaredType(program: ts.Program, path: string, type: string): ts.Type {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(path);
  const module = file && checker.getSymbolAtLocation(file);
  const symbol = module && checker.getExportsOfModule(module).find(({ name }) => name === type);
  if (!symbol) throw new Error(`${path} exports no ${type}: put its file into the table.`);
  return checker.getDeclaredTypeOfSymbol(symbol);
}
