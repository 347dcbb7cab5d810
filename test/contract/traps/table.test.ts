import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
const ROWS = [...read('README.md').matchAll(/^\| (\d\d) \| [^|]+ \| [^|]+ \| (\S+) \|$/gm)];

it('the table has each of the 46 traps once, in order, with a test that is there', () => {
  const numbers = Array.from({ length: 46 }, (_, index) => String(index + 1).padStart(2, '0'));
  expect(ROWS.map(([, number]) => number)).toEqual(numbers);
  const elsewhere = ROWS.map(([, , test = '']) => test).filter((test) => test !== 'traps.test.ts');
  expect(elsewhere.filter((test) => !existsSync(join(import.meta.dirname, '../../..', test)))).toEqual([]);
});

it('the tests here are those of the table', () => {
  const named = [...read('traps.test.ts').matchAll(/'trap (\d\d): /g)].map(([, number]) => number);
  const rows = ROWS.filter(([, , test]) => test === 'traps.test.ts');
  expect(named).toEqual(rows.map(([, number]) => number));
});
