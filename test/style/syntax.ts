import ts from 'typescript';

/** A rule of the house: the faults of one file, as sentences that start with its place. Pure. */
export type StyleRule = (path: string, text: string) => readonly string[];

let lastParsed: { readonly path: string; readonly text: string; readonly tree: ts.SourceFile } | undefined;

/** The syntax tree with parents. The last one is kept, since many rules look at one file in a row. */
export function parse(path: string, text: string): ts.SourceFile {
  if (lastParsed?.path === path && lastParsed.text === text) return lastParsed.tree;
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  lastParsed = { path, text, tree };
  return tree;
}

/** Visits `node` and everything below it. Types are left out: they do nothing at run time. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

/** `path:line`, as an editor opens it. */
export function placeOf(node: ts.Node): string {
  const file = node.getSourceFile();
  return `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** From the first line of `node` to its last, comments before it not counted. */
export function lineCountOf(node: ts.Node): number {
  const lineAt = (position: number) => node.getSourceFile().getLineAndCharacterOfPosition(position).line;
  return lineAt(node.getEnd()) - lineAt(node.getStart()) + 1;
}

/** The module named by an import, an export from, or a dynamic import; nothing for other nodes. */
export function importedModule(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier);
  const dynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return dynamic ? textOf(node.arguments[0]) : undefined;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** Whether the call belongs to the test runner: `it(...)`, `describe.each(...)(...)`, `test.concurrent(...)`. */
export function isTestCall(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && /^(?:describe|it|test|suite|bench)$/.test(rootName(node.expression));
}

/** The identifier that a chain of accesses and calls starts with. */
export function rootName(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) return rootName(node.expression);
  if (ts.isTaggedTemplateExpression(node)) return rootName(node.tag);
  return '';
}
