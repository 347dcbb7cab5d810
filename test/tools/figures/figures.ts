import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { STORED_KINDS } from '../style/stored-kinds.ts';
import { runOneContact } from './contact-path.ts';
import { readLastRun } from './last-run.ts';
import { countStoreRequests } from './store-requests.ts';

/** One line of the table: what is counted, and the counts by name. */
export interface Figure {
  readonly name: string;
  readonly counts: Readonly<Record<string, number>>;
}

const ROOT = resolve(import.meta.dirname, '../../..');
const BATCH = 20;

/** Measures the size and the cost of the project as it is now. Nothing fails on a figure. */
export async function measureFigures(): Promise<readonly Figure[]> {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '');
  const code = files.filter((path) => /\.(?:tsx?|mjs)$/.test(path));
  const product = code.filter((path) => /^(?:shared|functions|infra)\//.test(path));
  const pages = files.filter((path) => path.endsWith('.md'));
  const ran = await runOneContact();
  const alone = await countStoreRequests(1);
  const batch = await countStoreRequests(BATCH);
  const lastRun = readLastRun();
  return [
    { name: 'shared and functions', counts: sizeOf(code, /^(?:shared|functions)\//) },
    { name: 'infra', counts: sizeOf(code, /^infra\//) },
    { name: 'test', counts: sizeOf(code, /^test\//) },
    { name: 'product', counts: { files: product.length } },
    {
      name: 'one new contact',
      counts: { files: ran.size, functions: [...ran.values()].flat().length },
    },
    { name: 'stored kinds', counts: { kinds: STORED_KINDS.length } },
    {
      name: 'DynamoDB requests for one contact',
      counts: {
        alone: alone.total,
        'in sequence': alone.inSequence,
        [`in a batch of ${BATCH}`]: Math.round(batch.total / BATCH),
      },
    },
    { name: 'pages', counts: { words: wordsIn(pages), files: pages.length } },
    ...(lastRun
      ? [{ name: 'last npm test', counts: { seconds: lastRun.testSeconds, check: lastRun.checkSeconds } }]
      : []),
  ];
}

/** Lines, and syntax tokens without comments, of the files below a path. */
function sizeOf(code: readonly string[], below: RegExp): Readonly<Record<string, number>> {
  let lines = 0;
  let tokens = 0;
  for (const path of code.filter((each) => below.test(each))) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    lines += text.split('\n').length - 1;
    tokens += countTokens(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  }
  return { lines, tokens };
}

function countTokens(source: ts.SourceFile): number {
  let tokens = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isToken(node) && node.kind !== ts.SyntaxKind.EndOfFileToken) tokens += 1;
    else if (!ts.isJSDoc(node)) node.getChildren(source).forEach(visit);
  };
  visit(source);
  return tokens;
}

function wordsIn(pages: readonly string[]): number {
  return pages
    .map((path) => readFileSync(join(ROOT, path), 'utf8').split(/\s+/).length)
    .reduce((sum, words) => sum + words, 0);
}
