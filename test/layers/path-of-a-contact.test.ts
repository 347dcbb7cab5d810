import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('follows one new contact through at most 146 files and 645 functions', () => {
  const script = join(import.meta.dirname, 'path-of-a-contact.ts');
  const told = execFileSync(process.execPath, [script], { encoding: 'utf8' });
  const [, files, functions] = /^One contact: (\d+) files and (\d+) functions/.exec(told) ?? [];
  expect(Number(files)).toBeLessThanOrEqual(146);
  expect(Number(functions)).toBeLessThanOrEqual(645);
});
