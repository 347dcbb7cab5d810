import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { hasDynamoEngine } from './harness/dynamo-engine.ts';
import { notExercised } from './tools/exercised.ts';
import { keepLastRun } from './tools/figures/last-run.ts';

/**
 * `npm test`: all tests, and the checks beside them, whose output comes at the end. With a file or a name, the tests of
 * that alone.
 */
const args = process.argv.slice(2);
const isPart = args.some((arg) => !/^--(?:reporter|outputFile)/.test(arg));
const shell = process.platform === 'win32';

const startedAt = performance.now();
const secondsPassed = () => Math.round((performance.now() - startedAt) / 1_000);
const checking = isPart ? undefined : check();
const EXERCISED_FILE = join(mkdtempSync(join(tmpdir(), 'exercised-')), 'runs.jsonl');
// Node then keeps what it compiled: imports take a quarter less of the processor.
const env = {
  NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../node_modules/.cache/compiled'),
  ...(!isPart && { EXERCISED_FILE }),
  ...process.env,
};
const [tested] = await once(spawn('vitest', ['run', ...args], { stdio: 'inherit', shell, env }), 'close');
const testSeconds = secondsPassed();
const { code: checked, told, seconds } = (await checking) ?? { code: 0, told: '', seconds: 0 };
process.stdout.write(told);
// Without the engine, no test works on a stack.
const missing = tested === 0 && !isPart && hasDynamoEngine ? await notExercised(EXERCISED_FILE) : [];
for (const name of missing) console.log(`No test exercises this: ${name}`);
const isPassed = tested === 0 && checked === 0 && missing.length === 0;
if (isPassed && !isPart) keepLastRun({ testSeconds: Math.max(testSeconds, seconds), checkSeconds: seconds });
process.exitCode = isPassed ? 0 : 1;

async function check(): Promise<{ readonly code: unknown; readonly told: string; readonly seconds: number }> {
  const child = spawn('npm', ['run', 'check'], { stdio: ['ignore', 'pipe', 'pipe'], shell });
  let told = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
  const [code] = await once(child, 'close');
  return { code, told, seconds: secondsPassed() };
}
