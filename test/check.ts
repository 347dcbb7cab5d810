import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** `npm run check`: every check, as many side by side as there are processors. The slowest come first. */
const CHECKS = ['types', 'tree', 'lint', 'unused', 'types:host'];

const waiting = CHECKS.map((name) => `check:${name}`);
const failed: string[] = [];
await Promise.all(Array.from({ length: availableParallelism() }, work));
console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function work(): Promise<void> {
  for (let script = waiting.shift(); script !== undefined; script = waiting.shift()) {
    const startedAt = performance.now();
    const child = spawn('npm', ['run', '--silent', script], {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let told = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        told += text;
      });
    const [code] = await once(child, 'close');
    if (code !== 0) failed.push(script);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.log(
      `${told.trimEnd()}\n${code === 0 ? 'passed' : 'FAILED'}: ${script} (${seconds} s)`.trimStart(),
    );
  }
}
