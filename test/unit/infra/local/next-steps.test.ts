import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { environmentOf } from '../../../../infra/local/next-steps.ts';

it.each(['/tmp/books', 'my books', "Ada's $HOME; echo"])(
  'a shell sets DATA_DIR to the data folder %s, as a shown command names it',
  (folder) => {
    const script = `${environmentOf(folder)} sh -c 'printf %s "$DATA_DIR"'`;
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(folder);
  },
);
