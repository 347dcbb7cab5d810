import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Default policy file of the laptop, the command line and the deployment. In the installed package, a compiled copy
 * is beside the compiled code.
 */
export const POLICY_FILE = fileURLToPath(new URL(`./policy${extname(import.meta.url)}`, import.meta.url));

/**
 * Loads the default export of a policy file. The types were checked by the compiler before. The caller checks the
 * values by the schema.
 * @param file absolute path.
 * @throws Error that explains in one line why the file cannot be loaded.
 */
export async function loadPolicy(file: string): Promise<unknown> {
  if ((await readFile(file, 'utf8')).trim() === '')
    throw new Error('it is empty; it needs "export default" with a policy');
  const { default: policy }: { default?: unknown } = await load(file);
  if (policy === undefined) throw new Error('it has no default export');
  return policy;
}

async function load(file: string): Promise<{ default?: unknown }> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const problem = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
    if (!(error instanceof SyntaxError)) throw new Error(problem, { cause: error });
    const place = placeIn(error.stack ?? '', file) ?? placeIn(await checked(file), file);
    throw new Error(place ? `${place}: ${problem}` : problem, { cause: error });
  }
}

/**
 * Returns Node's message about the file's syntax, which is empty if there is no error. Needed because the error of a
 * failed import of JavaScript names no line.
 */
function checked(file: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--check', file], (_error, _out, problems) => resolve(problems));
  });
}

/** `line 3, column 35`. Node prints the file with the line, the source text, and carets below the place. */
function placeIn(shown: string, file: string): string | undefined {
  const [head = '', ...rest] = shown.split('\n');
  if (!head.startsWith(`${file}:`)) return undefined;
  const column = rest.find((line) => /^\s*\^+\s*$/.test(line))?.indexOf('^') ?? 0;
  return `line ${head.slice(file.length + 1)}, column ${column + 1}`;
}
