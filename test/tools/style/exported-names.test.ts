import { describe, expect, it } from 'vitest';
import { repeatedNames } from './exported-names.ts';

const file = (path: string, text: string) => ({ path, text });
const HERE = file('shared/records/a.ts', 'export const figure = 1;');

describe('exported names', () => {
  it.each([
    ['a constant', 'export const figure = 2;'],
    ['a function', 'export async function figure() {}'],
    ['a type', 'export type figure = 1;'],
    ['an interface', 'export interface figure {}'],
    ['a class', 'export class figure {}'],
    ['a re-export', "export { figure } from './a.ts';"],
    ['a renamed export', 'const other = 1; export { other as figure };'],
  ])('are refused when %s repeats one', (_, text) => {
    const faults = repeatedNames([HERE, file('infra/cli/b.ts', text)]);
    expect(faults).toHaveLength(1);
    for (const part of ['"figure"', HERE.path, 'infra/cli/b.ts']) expect(faults[0]).toContain(part);
  });

  it.each([
    ['is not exported', file('infra/cli/b.ts', 'const figure = 2;')],
    ['belongs to a stand-in', file('infra/sandbox/b.ts', 'export const figure = 2;')],
    ['belongs to a test', file('test/b.ts', 'export const figure = 2;')],
    ['is offered by a face', file('shared/records/index.ts', "export { figure } from './a.ts';")],
    ['is only imported', file('infra/cli/b.ts', "import { figure } from '#shared/records/a.ts';")],
  ])('may be repeated by one that %s', (_, other) => {
    expect(repeatedNames([HERE, other])).toEqual([]);
  });

  it('may have the same handler in each function, and nowhere else', () => {
    const handlers = ['functions/a/main.ts', 'functions/b/main.ts'].map((path) =>
      file(path, 'export const handler = 1;'),
    );
    expect(repeatedNames(handlers)).toEqual([]);
    const elsewhere = ['shared/records/c.ts', 'shared/crm/d.ts'].map((path) =>
      file(path, 'export const handler = 1;'),
    );
    expect(repeatedNames(elsewhere)).toHaveLength(1);
  });

  it('counts an overloaded function once', () => {
    const text = 'export function f(a: 1): 1;\nexport function f(a: 2): 2;\nexport function f(a: any) {}';
    expect(repeatedNames([file('shared/records/c.ts', text)])).toEqual([]);
  });
});
