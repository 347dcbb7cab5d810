import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm test`: all tests, and the checks beside them, whose output comes at the end. With a file or a name, the tests of
 * that alone.
 */
const args = process.argv.slice(2);
const isPart = args.some((arg) => !arg.startsWith('-'));
const shell = process.platform === 'win32';

const checks = isPart
  ? undefined
  : spawn('npm', ['run', 'check'], { stdio: ['ignore', 'pipe', 'pipe'], shell });
let told = '';
for (const stream of checks ? [checks.stdout, checks.stderr] : [])
  stream.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
const [tested] = await once(spawn('vitest', ['run', ...args], { stdio: 'inherit', shell }), 'close');
if (checks && checks.exitCode === null) await once(checks, 'close');
process.stdout.write(told);
process.exitCode = tested || (checks?.exitCode ?? (checks ? 1 : 0));
