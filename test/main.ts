import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm test`: all tests, and the checks beside them, whose output comes at the end. With a file or a name, the tests of
 * that alone.
 */
const args = process.argv.slice(2);
const isPart = args.some((arg) => !arg.startsWith('-'));
const shell = process.platform === 'win32';

const checking = isPart ? undefined : check();
// Nobody tells a number of who was stopped by a signal.
const [tested] = await once(spawn('vitest', ['run', ...args], { stdio: 'inherit', shell }), 'close');
const { code: checked, told } = (await checking) ?? { code: 0, told: '' };
process.stdout.write(told);
process.exitCode = tested === 0 && checked === 0 ? 0 : 1;

async function check(): Promise<{ readonly code: unknown; readonly told: string }> {
  const child = spawn('npm', ['run', 'check'], { stdio: ['ignore', 'pipe', 'pipe'], shell });
  let told = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      told += text;
    });
  const [code] = await once(child, 'close');
  return { code, told };
}
