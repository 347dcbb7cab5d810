import ts from 'typescript';
import { isTestCall, parse, placeOf, rootName, type StyleRule, walk } from './syntax.ts';

const MARKS = new Set(['skip', 'only', 'todo', 'fails']);
const MARKED_NAMES = /^(?:xit|xtest|xdescribe|fit|fdescribe)$/;

/** Every test that is there runs, and runs beside all others. */
export const everyTestRuns: StyleRule = (path, text) => {
  if (!path.startsWith('test/')) return [];
  const faults: string[] = [];
  walk(parse(path, text), (node) => {
    const mark = markOf(node);
    if (mark) faults.push(`${placeOf(node)} marks a test with "${mark}"; every test that is there runs.`);
  });
  return faults;
};

/** Also `it('...', { skip: true }, ...)` and `context.skip()`. */
function markOf(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) && MARKS.has(node.name.text)) {
    return /^(?:describe|it|test|suite|bench|context|ctx|task)$/.test(rootName(node.expression))
      ? node.name.text
      : undefined;
  }
  if (!ts.isCallExpression(node)) return undefined;
  if (ts.isIdentifier(node.expression) && MARKED_NAMES.test(node.expression.text))
    return node.expression.text;
  return isTestCall(node) ? markInOptions(node) : undefined;
}

function markInOptions(call: ts.CallExpression): string | undefined {
  return call.arguments
    .filter(ts.isObjectLiteralExpression)
    .flatMap((options) => options.properties.map((property) => property.name?.getText() ?? ''))
    .find((name) => MARKS.has(name));
}
