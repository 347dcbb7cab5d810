import ts from 'typescript';
import { isTestCall, lineCountOf, parse, placeOf, type StyleRule, walk } from './syntax.ts';

const MAX_FILE_LINES = 250;
const MAX_TEST_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 60;

/** A file fits on a few screens. */
export const fileLength: StyleRule = (path, text) => {
  const lineCount = text.replace(/\n$/, '').split('\n').length;
  const max = path.startsWith('test/') ? MAX_TEST_FILE_LINES : MAX_FILE_LINES;
  return lineCount > max ? [`${path} has ${lineCount} lines; ${max} are the most.`] : [];
};

/** A function fits on one screen. In tests, each case counts for itself and not for what stands around it. */
export const functionLength: StyleRule = (path, text) => {
  const faults: string[] = [];
  walk(parse(path, text), (node) => {
    if (!ts.isFunctionLike(node)) return;
    const lineCount = lineCountOf(node) - (path.startsWith('test/') ? caseLines(node) : 0);
    if (lineCount <= MAX_FUNCTION_LINES) return;
    faults.push(
      `${placeOf(node)} ${nameOf(node)} has ${lineCount} lines; ${MAX_FUNCTION_LINES} are the most.`,
    );
  });
  return faults;
};

/** Lines of the outermost test cases and groups inside `node`. */
function caseLines(node: ts.Node): number {
  let lineCount = 0;
  const visit = (child: ts.Node) => {
    if (isTestCall(child)) lineCount += lineCountOf(child);
    else child.forEachChild(visit);
  };
  node.forEachChild(visit);
  return lineCount;
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name) return node.name.getText();
  const { parent } = node;
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
    ? parent.name.getText()
    : 'A function';
}
