import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesIn } from './sources.ts';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '../../..');
const NUMBERS = Array.from({ length: 46 }, (_, index) => String(index + 1).padStart(2, '0'));

const rows = readFileSync(join(HERE, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d\d /.test(line))
  .map((line) => {
    const [number = '', naive = '', fate = '', test = '', more = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { number, naive, fate, test, more };
  });

it('the table has each of the 46 traps once, in order, handled or deliberately left', () => {
  expect(rows.map(({ number }) => number)).toEqual(NUMBERS);
  for (const { naive, fate } of rows) {
    expect(naive).not.toBe('');
    expect(fate).toMatch(/^(?:handled|left: .)/);
  }
});

it.each(rows)(
  'trap $number is tested in $test, and the other file named is there',
  ({ number, test, more }) => {
    expect(readFileSync(join(HERE, test), 'utf8').includes(`'trap ${number}: `)).toBe(true);
    expect(more === '' || existsSync(join(ROOT, more))).toBe(true);
  },
);

it('no test is named after a trap that the table has elsewhere', () => {
  const named = filesIn('test/contract/traps', ['.test.ts']).flatMap(({ path, text }) =>
    [...text.matchAll(/'trap (\d\d): /g)].map(([, number]) => `${number} ${path.split('/').at(-1)}`),
  );
  expect(named.toSorted()).toEqual(rows.map(({ number, test }) => `${number} ${test}`));
});
