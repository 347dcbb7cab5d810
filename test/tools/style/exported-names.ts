import ts from 'typescript';
import type { TreeFile } from './tree-files.ts';

/** `infra/sandbox` is a separate package, which models the vendors' contracts independently of the product. */
const PLACES = /^(?:functions|infra|shared)\/(?!.*node_modules)(?!sandbox\/).+\.tsx?$/;
/** Files that only re-export names of their folder. */
const FACES = /^shared\/(?:extensions\/)?[^/]+\/(?:index|adapters)\.ts$/;
/** Each Lambda function and each vendor has one, in its own folder. */
const OF_EACH =
  /^(?:functions\/.+ (?:handler|createHandler|envSchema)|shared\/vendor\/.+ (?:VENDOR|openVendor))$/;

/** Finds names that several files export, because a name must have one meaning. @returns a sentence for each. */
export function repeatedNames(files: readonly TreeFile[]): string[] {
  const exported = files
    .filter(({ path }) => PLACES.test(path))
    .flatMap((file) => exportedNames(file).map((name) => ({ name, path: file.path })))
    .filter(({ name, path }) => !OF_EACH.test(`${path} ${name}`));
  return [...Map.groupBy(exported, ({ name }) => name)].flatMap(([name, uses]) => {
    const paths = [...new Set(uses.map(({ path }) => path))];
    return paths.length > 1
      ? [`"${name}" is exported by ${paths.join(' and ')}. Use one for both, or rename one by what it holds.`]
      : [];
  });
}

function exportedNames({ path, text }: TreeFile): string[] {
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) return FACES.test(path) ? [] : listedNames(statement);
    if (!ts.canHaveModifiers(statement)) return [];
    const modifiers = ts.getModifiers(statement) ?? [];
    const isExported = modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    return isExported ? declaredNames(statement) : [];
  });
}

/** Names of `export { a, b as c }`. */
function listedNames({ exportClause }: ts.ExportDeclaration): string[] {
  if (!exportClause || !ts.isNamedExports(exportClause)) return [];
  return exportClause.elements.map(({ name }) => name.text);
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}
