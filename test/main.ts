import { spawnSync } from 'node:child_process';

/** `npm test`: the checks, then all tests. With a file or a name, the tests of that alone. */
const args = process.argv.slice(2);
const isPart = args.some((arg) => !arg.startsWith('-'));
const steps = [...(isPart ? [] : [['npm', 'run', 'check']]), ['vitest', 'run', ...args]];
for (const [program = '', ...words] of steps) {
  const { status } = spawnSync(program, words, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}
