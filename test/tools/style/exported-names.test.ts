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

it('each function may have a handler, and nobody else', () => {
  const handlersIn = (...paths: string[]) =>
    repeatedNames(paths.map((path) => file(path, 'export const handler = 1;')));
  expect(handlersIn('functions/a/main.ts', 'functions/b/main.ts')).toEqual([]);
  expect(handlersIn('shared/records/c.ts', 'shared/crm/d.ts')).toHaveLength(1);
});
