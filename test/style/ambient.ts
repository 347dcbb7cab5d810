import ts from 'typescript';
import { isReference, isShadowed } from './scope.ts';
import { importedModule, parse, placeOf, type StyleRule, walk } from './syntax.ts';

/** Where time, randomness, ids, timers and the environment may be had from the air. */
const ALLOWED = [/\.system\.ts$/, /^functions\/[^/]+\/main\.ts$/];

/** Globals that are ambient whatever is done with them. */
const GLOBALS = new Set([
  'process',
  'performance',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'fetch',
  'globalThis',
  'global',
]);

/** Members that are ambient of objects that are otherwise harmless. */
const MEMBERS = new Set([
  'AbortSignal.timeout',
  'Date.now',
  'Math.random',
  'crypto.getRandomValues',
  'crypto.randomBytes',
  'crypto.randomInt',
  'crypto.randomUUID',
]);

const MODULES = new Set(['timers', 'timers/promises', 'perf_hooks', 'process']);
const CRYPTO_RANDOM = /^(?:random\w*|getRandomValues|webcrypto)$/;

/** Pure code, handlers and adapters ask for time, randomness and ids as arguments; a test can then set them. */
export const noAmbient: StyleRule = (path, text) => {
  if (!/^(?:functions|shared)\//.test(path) || ALLOWED.some((place) => place.test(path))) return [];
  const faults: string[] = [];
  walk(parse(path, text), (node) => {
    const what = ambientUse(node);
    if (what)
      faults.push(`${placeOf(node)} uses ${what}; take it as an argument (Clock, Random, NewId, a sender).`);
  });
  return faults;
};

function ambientUse(node: ts.Node): string | undefined {
  return ambientDate(node) ?? ambientMember(node) ?? ambientGlobal(node) ?? ambientImport(node);
}

function ambientDate(node: ts.Node): string | undefined {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
  if (!ts.isIdentifier(node.expression) || node.expression.text !== 'Date') return undefined;
  if (ts.isCallExpression(node)) return 'Date()';
  return node.arguments?.length ? undefined : 'new Date() without arguments';
}

function ambientMember(node: ts.Node): string | undefined {
  const members = memberNames(node).filter((name) => MEMBERS.has(name));
  return members.length > 0 ? members.join(', ') : undefined;
}

/** `Date.now`, `Date['now']` and `const { now } = Date` are all "Date.now". */
function memberNames(node: ts.Node): string[] {
  if (ts.isPropertyAccessExpression(node)) return [`${node.expression.getText()}.${node.name.text}`];
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return [`${node.expression.getText()}.${node.argumentExpression.text}`];
  }
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name) && node.initializer) {
    const owner = node.initializer.getText();
    return node.name.elements.map(
      (element) => `${owner}.${(element.propertyName ?? element.name).getText()}`,
    );
  }
  return [];
}

function ambientGlobal(node: ts.Node): string | undefined {
  if (!ts.isIdentifier(node) || !GLOBALS.has(node.text)) return undefined;
  return isReference(node) && !isShadowed(node) ? `the global ${node.text}` : undefined;
}

function ambientImport(node: ts.Node): string | undefined {
  const module = importedModule(node)?.replace(/^node:/, '');
  if (module === undefined) return undefined;
  if (MODULES.has(module)) return `node:${module}`;
  if (module !== 'crypto' || !ts.isImportDeclaration(node)) return undefined;
  const bindings = node.importClause?.namedBindings;
  const names = bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
  const random = names.map(({ propertyName, name }) => (propertyName ?? name).text);
  return random.find((name) => CRYPTO_RANDOM.test(name));
}
