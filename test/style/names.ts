import ts from 'typescript';
import { parse, placeOf, type StyleRule, walk } from './syntax.ts';

/** `store.dynamo.ts`, `work-queue`, and files that start with a dot. */
const KEBAB = /^\.?[a-z0-9]+(?:[-.][a-z0-9]+)*$/;
/** Documents that stand out on purpose. */
const CAPITAL_DOCUMENT = /^[A-Z]+\.md$/;
/** Words that say that nobody found the noun. */
const EMPTY_WORDS = new Set([
  'util',
  'utils',
  'utility',
  'utilities',
  'helper',
  'helpers',
  'manager',
  'managers',
]);

/** Files and folders are in kebab case. */
export const kebabCase: StyleRule = (path) =>
  path
    .split('/')
    .filter((segment) => !KEBAB.test(segment) && !CAPITAL_DOCUMENT.test(segment))
    .map((segment) => `${path}: "${segment}" is not in kebab case.`);

/** A file or folder is named after what it is about. */
export const speakingPaths: StyleRule = (path) =>
  path
    .split(/[-./]/)
    .filter((word) => EMPTY_WORDS.has(word))
    .map((word) => `${path}: "${word}" says nothing about what is in it.`);

/** What a file declares is named after what it is, and no interface starts with I. */
export const speakingDeclarations: StyleRule = (path, text) => {
  const faults: string[] = [];
  parse(path, text).forEachChild((node) =>
    walkDeclarations(node, (name, declaration) => {
      if (wordsOf(name).some((word) => EMPTY_WORDS.has(word))) {
        faults.push(`${placeOf(declaration)} "${name}" says nothing about what it is.`);
      }
      if (ts.isInterfaceDeclaration(declaration) && /^I[A-Z][a-z]/.test(name)) {
        faults.push(`${placeOf(declaration)} "${name}": an interface needs no I before its name.`);
      }
    }),
  );
  return faults;
};

function walkDeclarations(root: ts.Node, visit: (name: string, node: ts.Node) => void): void {
  walk(root, (node) => {
    const named =
      ts.isVariableDeclaration(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node);
    if (named && node.name && ts.isIdentifier(node.name)) visit(node.name.text, node);
  });
}

/** "retryManager" -> retry, manager. */
function wordsOf(name: string): string[] {
  return name
    .split(/(?<=[a-z0-9])(?=[A-Z])|_/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');
}
