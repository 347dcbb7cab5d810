import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';

let told: string;
beforeAll(() => {
  const script = join(import.meta.dirname, 'path-of-a-contact.ts');
  told = execFileSync(process.execPath, [script], { encoding: 'utf8' });
});

it('follows one new contact through at most 150 files and 670 functions', () => {
  const [, files, functions] = /^One contact: (\d+) files and (\d+) functions/m.exec(told) ?? [];
  expect(Number(files)).toBeLessThanOrEqual(150);
  expect(Number(functions)).toBeLessThanOrEqual(670);
});

it('walks from the handler to the outcome in at most 88 steps, of which at most 55 return to a file', () => {
  const [, steps, returns] = /^Walk: (\d+) steps from file to file, (\d+) of them returns/m.exec(told) ?? [];
  expect(Number(steps)).toBeLessThanOrEqual(88);
  expect(Number(returns)).toBeLessThanOrEqual(55);
});
