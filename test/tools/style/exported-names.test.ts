import { expect, it } from 'vitest';
import { repeatedNames } from './exported-names.ts';

const file = (path: string, text: string) => ({ path, text });
const HERE = file('shared/records/a.ts', 'export const figure = 1;');

it.each([
  [1, 'infra/cli/b.ts', 'export async function figure() {}'],
  [1, 'infra/cli/b.ts', 'export interface figure {}'],
  [1, 'infra/cli/b.ts', 'const other = 1; export { other as figure };'],
  [0, 'infra/cli/b.ts', 'const figure = 2;'],
  [0, 'infra/sandbox/b.ts', 'export const figure = 2;'],
  [0, 'shared/records/index.ts', "export { figure } from './a.ts';"],
])('%i names are repeated by %s: %s', (count, path, text) => {
  expect(repeatedNames([HERE, file(path, text)])).toHaveLength(count);
});

it.each([
  ['handler', 'functions/a/main.ts', 'functions/b/main.ts'],
  ['openVendor', 'shared/vendor/a/vendor-client.ts', 'shared/vendor/b/vendor-client.ts'],
])('%s may be in each folder of its kind, and nowhere else', (name, ...places) => {
  const repeatedIn = (paths: readonly string[]) =>
    repeatedNames(paths.map((path) => file(path, `export const ${name} = 1;`)));
  expect(repeatedIn(places)).toEqual([]);
  expect(repeatedIn(['shared/records/c.ts', 'shared/crm/d.ts'])).toHaveLength(1);
});
