import ts from 'typescript';

/** Whether the identifier stands for a value, rather than naming a member or declaring something. */
export function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return parent.name === node;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return false;
  if (ts.isBindingElement(parent) && parent.propertyName === node) return false;
  return !('name' in parent && parent.name === node);
}

/** Whether a declaration around the identifier gives its name another meaning than the global one. */
export function isShadowed(node: ts.Identifier): boolean {
  for (let scope: ts.Node = node.parent; scope; scope = scope.parent) {
    if (namesDeclaredIn(scope).includes(node.text)) return true;
  }
  return false;
}

function namesDeclaredIn(scope: ts.Node): string[] {
  if (ts.isFunctionLike(scope)) return scope.parameters.flatMap(({ name }) => boundNames(name));
  if (ts.isSourceFile(scope) || ts.isBlock(scope) || ts.isCaseOrDefaultClause(scope)) {
    return scope.statements.flatMap(namesOfStatement);
  }
  const list = ts.isForStatement(scope) || ts.isForOfStatement(scope) ? scope.initializer : undefined;
  return list && ts.isVariableDeclarationList(list)
    ? list.declarations.flatMap(({ name }) => boundNames(name))
    : [];
}

function namesOfStatement(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  }
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
    return statement.name ? [statement.name.text] : [];
  }
  return ts.isImportDeclaration(statement) ? importedNames(statement.importClause) : [];
}

function importedNames(clause: ts.ImportClause | undefined): string[] {
  const bindings = clause?.namedBindings;
  const named = bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : [];
  const whole = bindings && ts.isNamespaceImport(bindings) ? [bindings.name.text] : [];
  return [...(clause?.name ? [clause.name.text] : []), ...named, ...whole];
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []));
}
