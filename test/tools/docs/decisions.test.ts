import { describe, expect, it } from 'vitest';
import sandbox from '../../../infra/sandbox/package.json' with { type: 'json' };
import about from '../../../package.json' with { type: 'json' };
import { allDocuments, longSentences, readDocument } from './documents.ts';

const FOLDER = 'docs/decisions/';
const LIST = `${FOLDER}README.md`;
const DEPENDENCIES = `${FOLDER}packages.md`;

const pages = allDocuments().filter(({ path }) => path.startsWith(FOLDER) && path !== LIST);

describe('the decisions', () => {
  it('are all listed, each once', () => {
    const listed = [...readDocument(LIST).text.matchAll(/\]\(([^)]+)\)/g)].map(
      ([, file]) => `${FOLDER}${file}`,
    );
    expect(listed.sort()).toEqual(pages.map(({ path }) => path).sort());
  });

  it.each(pages.map(({ path, text }) => [path, text] as const))(
    '%s has a text below each title, in short sentences',
    (_, text) => {
      const parts = text.split(/^#+ .+$/m).slice(1);
      expect(parts.filter((part) => part.trim() === '').length).toBeLessThanOrEqual(1);
      expect(longSentences(text)).toEqual([]);
    },
  );

  it('give a reason for each package', () => {
    const named = [...readDocument(DEPENDENCIES).text.matchAll(/`([@\w./*-]+)`/g)].map(
      ([, name = '']) => name,
    );
    const packages = [
      about.dependencies,
      about.devDependencies,
      sandbox.dependencies,
      sandbox.devDependencies,
    ];
    const missing = packages
      .flatMap((each) => Object.keys(each))
      .filter((name) => !named.some((each) => isNamed(name, each)));
    expect(missing).toEqual([]);
  });
});

/** A row names a package, all packages of a scope (`@scope/*`), or a package without the scope before it. */
function isNamed(name: string, row: string): boolean {
  return name === row || (row.endsWith('/*') ? name.startsWith(row.slice(0, -1)) : name.endsWith(`/${row}`));
}
