import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from './list.ts';
import { mutated, namedForLaws } from './mutant.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');

/** `npm run mutants` shows that each is noticed; this, that the list has kept up with the code. */
describe('the list of mutants', () => {
  it('names each once', () => {
    const names = MUTANTS.map(({ name }) => name);
    expect(names).toHaveLength(new Set(names).size);
  });

  it('replaces what stands in its file exactly once, by something else', () => {
    const stale = MUTANTS.filter((mutant) => {
      const text = read(mutant.file);
      return [undefined, text].includes(mutated(text, mutant));
    });
    expect(stale.map(({ name }) => name)).toEqual([]);
  });

  it('says of each which law it breaks, or why it breaks none, and of nothing else', () => {
    expect(namedForLaws().sort()).toEqual(MUTANTS.map(({ name }) => name).sort());
  });

  it('names test files that are there', () => {
    const missing = MUTANTS.flatMap(({ suites }) => suites).filter(
      (suite) => !suite.endsWith('.test.ts') || !existsSync(resolve(root, suite)),
    );
    expect(missing).toEqual([]);
  });
});
